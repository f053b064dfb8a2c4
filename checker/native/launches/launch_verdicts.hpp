// Which models a launch fails (docs/do/progress.md): the states of the launch and of models side by side, and their cycles.
//
// The slow twin is synth_kernels/progress/verdicts.py. Most cycles of launches are loops of a single state, in which
// threads spin. These are judged at once, for all models. Larger components are divided as the twin does it.
//
// Several models run as one: its states are numbers, and each gives the fair set of every model.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "launches/launch_space.hpp"
#include "launches/pool.hpp"

namespace synth {

// The models, run as one. The workgroups are what their threads are elsewhere.
class LaunchModels {
public:
    LaunchModels() = default;
    LaunchModels(const LaunchModels&) = delete;
    LaunchModels& operator=(const LaunchModels&) = delete;
    virtual ~LaunchModels() = default;

    virtual Number after(Number state, std::uint32_t group, bool ends) = 0;
    // The fair set of each model.
    virtual std::vector<std::uint32_t> fair(Number state, std::uint32_t live) = 0;
    // So many states are known. Throw if nobody wants more.
    virtual void tick(std::size_t states) = 0;
};

class LaunchVerdicts {
public:
    // A state of the launch and one of the models.
    struct Node {
        Number state, model;
    };
    // A recurrent set in which a form of a model fails; none if it passes.
    using Failing = std::vector<Node>;

    LaunchVerdicts(const LaunchSpace& space, LaunchModels& models, std::size_t number_of_models);

    // Of each model the weak and the strong form: a failing set whose nearest node has the least distance from the start.
    const std::vector<Failing>& failing() const { return failing_; }
    std::size_t nodes() const { return nodes_.size(); }
    // The nodes of a state of the launch.
    std::vector<Node> nodes_of(Number state) const;
    // The threads that step on a shortest way from the start to one of some nodes, and this node.
    std::pair<std::vector<Number>, Node> way_to(const std::vector<Node>& goals);

private:
    struct Known {
        Number state, model, next;  // `next` is another node of the same state
    };

    Number after(Number model, const LaunchSpace::Edge& edge);
    Number told(Number model, std::uint32_t group, bool ends);
    const std::vector<std::uint32_t>& fair(Number model, std::uint32_t live);
    Number find(Number state, Number model) const;
    void reach();
    void judge();
    void judge_loops(Number node);
    void judge_component(const std::vector<Number>& nodes);
    void note(std::size_t place, Number nearest, const std::vector<Number>& nodes);

    const LaunchSpace& space_;
    LaunchModels& models_;
    std::size_t number_of_models_;
    std::vector<Number> after_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> fair_;
    // The newest node of a state of the launch, with its state of the models.
    struct First {
        Number node = no_number, model = no_number;
    };
    std::vector<First> first_;
    std::vector<Number> loops_;  // the nodes with a step that leads back to them
    Blocks<Known> nodes_;
    bool only_history_ = true;  // no cycle changes the state of the models
    std::vector<Failing> failing_;
    std::vector<Number> nearest_;
};

}  // namespace synth
