// All states that a launch of a kernel can reach, with the step of each thread that can take one.
//
// What a step does is known to `LaunchSteps`. This class finds and keeps the states, and the edges between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "launches/pool.hpp"
#include "launches/launch_steps.hpp"

namespace synth {

class LaunchSpace {
public:
    static constexpr std::size_t max_groups = 32;

    // The threads of a group have numbers that follow each other, and all groups have as many threads.
    LaunchSpace(Interpreter& interpreter, LaunchRules rules, std::size_t groups, std::size_t threads_of_group,
                std::vector<Element> elements);

    // Find all states that can be reached from a first state: the state of each thread. The memory is as `elements` say.
    // Throws LimitFault if there are more than `most`, and what the interpreter throws.
    void explore(const std::vector<Number>& first, std::size_t most);

    // What the element of memory holds in the state in which the interpreter shall take a step.
    Number held(Number element) { return steps_.held(element); }

    std::size_t states() const { return states_.size(); }
    std::size_t groups() const { return steps_.groups(); }
    std::size_t threads_of_group() const { return steps_.threads_of_group(); }
    std::uint64_t edges() const { return edges_; }

    // The values of all elements, and the states of all threads.
    std::pair<std::vector<Number>, std::vector<Number>> state(Number number) const { return steps_.unfolded(states_[number]); }
    // The set of live groups.
    std::uint32_t live(Number state) const;
    // The states in which no thread can take a step, although some thread has not ended.
    std::vector<Number> stuck() const;
    // The states in which all threads have ended.
    std::vector<Number> ended() const;
    // The threads that step on a shortest way from the start to a state.
    std::vector<Number> way_to(Number goal) const;

    struct Edge {
        Number to;
        std::uint32_t group;
        std::uint32_t mover;  // its place among those of the group
        bool ends;  // the last thread of the group that was live
        std::uint32_t others;  // the set of other groups that end, because a barrier of the grid releases their threads
    };
    // Goes through the edges of a state, in the order of threads.
    class Cursor {
    public:
        bool next(const LaunchSpace& space, Edge& edge);

    private:
        friend class LaunchSpace;
        Number state_ = 0;
        Number byte_ = 0;
        std::uint16_t group_ = 0;
        std::uint16_t mover_ = 0;
        std::uint16_t movers_ = 0;  // of the group
    };
    Cursor edges_of(Number state) const {
        Cursor cursor;
        cursor.state_ = state;
        cursor.byte_ = edges_begin_[state];
        cursor.movers_ = static_cast<std::uint16_t>(info(state, 0).movers);
        return cursor;
    }
    // The thread that takes the step of an edge from a state.
    Number thread(Number state, const Edge& edge) const {
        return static_cast<Number>(edge.group * threads_of_group()) + steps_.movers(info(state, edge.group))[edge.mover].thread;
    }
    // How many threads of a group can take steps in a state.
    std::size_t movers(Number state, std::size_t group) const { return info(state, group).movers; }

private:
    const GroupInfo& info(Number state, std::size_t group) const { return steps_.info(states_[state][1 + group]); }
    void add_edge(Number from, Number to, bool ends);

    Interpreter& interpreter_;
    LaunchSteps steps_;
    Pool<EqualRows> states_;
    std::uint64_t edges_ = 0;
    Arena<std::uint8_t> edge_bytes_;
    Blocks<Number> edges_begin_;

    // The steps from a state.
    struct Successor {
        std::uint64_t hash;
        bool ends;
    };
    std::vector<Successor> successors_;
    std::vector<Number> rows_;
    std::vector<std::uint8_t> row_bytes_;
};

}  // namespace synth
