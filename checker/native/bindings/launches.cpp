// Bindings of the states of launches of kernels, and of the verdicts on them.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bind.hpp"
#include "launches/launch_space.hpp"
#include "launches/launch_verdicts.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

using synth::Number;
using Pairs = std::vector<std::pair<Number, Number>>;
using Set = synth::TouchedSets::Set;

// Python code that interprets threads: synth_kernels.progress.transducer.
class PythonInterpreter final : public synth::Interpreter {
public:
    explicit PythonInterpreter(nb::object python) : python_(std::move(python)) {}
    synth::Described describe(Number local) override {
        using Fields = std::tuple<int, int, std::uint64_t, Number, Number, Number, Number, Set>;
        auto [status, scope, mask, place, object, other, released, touched] = nb::cast<Fields>(python_.attr("describe")(local));
        return {{static_cast<synth::Status>(status), static_cast<synth::Scope>(scope), mask, place, object, 0, other, released},
                std::move(touched)};
    }
    synth::Taken take(Number local) override {
        using Fields = std::tuple<Pairs, Pairs, Number, Number, Set>;
        auto [reads, writes, after, held, touched] = nb::cast<Fields>(python_.attr("take")(local));
        return {std::move(reads), std::move(writes), after, held, std::move(touched)};
    }
    void raced(const std::vector<Number>& elements) override { python_.attr("raced")(elements); }
    void tick(std::size_t states) override { python_.attr("tick")(states); }

private:
    nb::object python_;
};

// Models that Python code runs side by side: synth_kernels.progress.decision.
class PythonModels final : public synth::LaunchModels {
public:
    explicit PythonModels(nb::object python) : python_(std::move(python)) {}
    Number after(Number state, std::uint32_t group, bool ends) override {
        return nb::cast<Number>(python_.attr("after")(state, group, ends));
    }
    std::vector<std::uint32_t> fair(Number state, std::uint32_t live) override {
        return nb::cast<std::vector<std::uint32_t>>(python_.attr("fair")(state, live));
    }
    void tick(std::size_t states) override { python_.attr("tick")(states); }

private:
    nb::object python_;
};

// A space and whoever interprets its threads.
struct SpaceBinding {
    std::unique_ptr<PythonInterpreter> interpreter;
    std::unique_ptr<synth::LaunchSpace> space;

    const synth::LaunchSpace& at(Number state) const {
        if (state >= space->states()) throw nb::index_error("found the number of no state");
        return *space;
    }
};

Pairs row(const SpaceBinding& binding, Number state) {
    const synth::LaunchSpace& space = binding.at(state);
    Pairs found;
    synth::LaunchSpace::Edge edge{};
    for (synth::LaunchSpace::Cursor cursor = space.edges_of(state); cursor.next(space, edge);) found.emplace_back(space.thread(state, edge), edge.to);
    return found;
}

using Nodes = Pairs;

Nodes pairs(const std::vector<synth::LaunchVerdicts::Node>& nodes) {
    Nodes found;
    for (const auto& [state, model] : nodes) found.emplace_back(state, model);
    return found;
}

std::vector<Nodes> failing(const synth::LaunchVerdicts& verdicts) {
    std::vector<Nodes> found;
    for (const auto& nodes : verdicts.failing()) found.push_back(pairs(nodes));
    return found;
}

std::pair<std::vector<Number>, std::pair<Number, Number>> way_to(synth::LaunchVerdicts& verdicts, const Nodes& goals) {
    std::vector<synth::LaunchVerdicts::Node> nodes;
    for (const auto& [state, model] : goals) nodes.push_back({state, model});
    auto [way, goal] = verdicts.way_to(nodes);
    return {std::move(way), {goal.state, goal.model}};
}

struct VerdictsBinding {
    std::unique_ptr<PythonModels> models;
    std::unique_ptr<synth::LaunchVerdicts> verdicts;
};

}  // namespace

void bind_launches(nb::module_& m) {
    nb::class_<SpaceBinding>(m, "LaunchSpace", "All states that a launch of a kernel can reach.")
        .def(
            "__init__",
            [](SpaceBinding* made, nb::object interpreter, std::size_t groups, std::size_t threads_of_group,
               const std::vector<std::pair<int, Number>>& elements, std::size_t subgroup, bool lockstep, bool leave, bool merges) {
                std::vector<synth::Element> known;
                for (const auto& [group, initial] : elements) known.push_back({.group = group, .initial = initial});
                auto python = std::make_unique<PythonInterpreter>(std::move(interpreter));
                auto space = std::make_unique<synth::LaunchSpace>(*python, synth::LaunchRules{subgroup, lockstep, leave, merges},
                                                                  groups, threads_of_group, std::move(known));
                new (made) SpaceBinding{std::move(python), std::move(space)};
            },
            nb::arg("interpreter"), nb::arg("groups"), nb::arg("threads_of_group"), nb::arg("elements"), nb::arg("subgroup"),
            nb::arg("lockstep"), nb::arg("leave"), nb::arg("merges"),
            "The interpreter is a `synth_kernels.progress.transducer.Transducer`. Each element of memory has the group whose it "
            "is, or -1, and the number of its first value.")
        .def(
            "explore", [](SpaceBinding& binding, const std::vector<Number>& first, std::size_t most) { binding.space->explore(first, most); },
            nb::arg("first"), nb::arg("most"), "Find all states from the first one, in which the threads have these states.")
        .def(
            "held", [](SpaceBinding& binding, Number element) { return binding.space->held(element); }, nb::arg("element"),
            "The number of the value of an element where the interpreter shall take a step.")
        .def("__len__", [](const SpaceBinding& binding) { return binding.space->states(); })
        .def_prop_ro(
            "edges", [](const SpaceBinding& binding) { return binding.space->edges(); }, "How many steps there are from all states.")
        .def(
            "state", [](const SpaceBinding& binding, Number state) { return binding.at(state).state(state); }, nb::arg("state"),
            "The numbers of the values of all elements, and of the states of all threads.")
        .def("row", &row, nb::arg("state"), "Each thread that can take a step, with the state after it.")
        .def(
            "live", [](const SpaceBinding& binding, Number state) { return binding.at(state).live(state); }, nb::arg("state"),
            "The live groups, as a bit mask.")
        .def(
            "ended", [](const SpaceBinding& binding) { return binding.space->ended(); }, "The states in which all threads have ended.")
        .def(
            "way_to", [](const SpaceBinding& binding, Number state) { return binding.at(state).way_to(state); }, nb::arg("state"),
            "The threads that step on a shortest way from the start to a state.")
        .def(
            "stuck", [](const SpaceBinding& binding) { return binding.space->stuck(); },
            "The states in which no thread can take a step, although some thread has not ended.");
    nb::class_<VerdictsBinding>(m, "LaunchVerdicts", "Which models a launch fails.")
        .def(
            "__init__",
            [](VerdictsBinding* made, const SpaceBinding& space, nb::object models, std::size_t number_of_models) {
                auto python = std::make_unique<PythonModels>(std::move(models));
                auto verdicts = std::make_unique<synth::LaunchVerdicts>(*space.space, *python, number_of_models);
                new (made) VerdictsBinding{std::move(python), std::move(verdicts)};
            },
            nb::arg("space"), nb::arg("models"), nb::arg("number_of_models"), nb::keep_alive<1, 2>(),
            "The models are a `synth_kernels.progress.decision.Together`.")
        .def(
            "failing", [](const VerdictsBinding& binding) { return failing(*binding.verdicts); },
            "For the weak and the strong form of each model the states of a set in which it fails, each with the state of the "
            "models; empty if the launch passes.")
        .def(
            "nodes_of", [](const VerdictsBinding& binding, Number state) { return pairs(binding.verdicts->nodes_of(state)); },
            nb::arg("state"), "A state of the launch with each state that the models can be in there.")
        .def(
            "way_to", [](VerdictsBinding& binding, const Nodes& goals) { return way_to(*binding.verdicts, goals); },
            nb::arg("goals"), "The threads that step on a shortest way to one of some states, and this state.")
        .def("__len__", [](const VerdictsBinding& binding) { return binding.verdicts->nodes(); }, "How many states there are, those of the models included.");
}

}  // namespace bindings
