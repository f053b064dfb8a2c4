// Bindings of judges, and of models that are asked as they are needed.

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/batch.hpp"
#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "bindings/judges.hpp"
#include "program/by_id.hpp"
#include "program/exploration.hpp"
#include "transitions/lts.hpp"
#include "verdicts/on_demand_verdicts.hpp"
#include "verdicts/verdicts.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

nb::list verdicts(JudgeBinding& judges, const nb::object& ids) {
    std::unique_ptr<ProgramJudge> judge = judges.borrow();
    const Batch batch(ids);
    std::vector<std::uint64_t> masks;
    {
        const nb::gil_scoped_release release;
        ManyVerdicts verdicts;
        for (const std::string_view id : batch.ids()) verdicts.take(id, [&](int) -> ProgramJudge& { return *judge; });
        masks = verdicts.masks();
    }
    judges.give_back(std::move(judge));
    return numbers(masks);
}

std::uint64_t passes(JudgeBinding& judges, const synth::Lts& system) {
    std::unique_ptr<ProgramJudge> judge = judges.borrow();
    std::uint64_t mask = 0;
    {
        const nb::gil_scoped_release release;
        mask = judge->passes(system);
    }
    judges.give_back(std::move(judge));
    return mask;
}

using Explained = std::map<synth::ThreadSet, std::uint64_t>;

// The k-th automaton has the bits 2k and 2k+1.
std::vector<Explained> explained(const nb::object& ids, const std::vector<synth::Automaton>& automata) {
    constexpr std::size_t most = 32;  // a mask has two bits for each
    if (automata.size() > most) throw synth::InputFault("found more than 32 automata");
    std::vector<synth::ProductVerdicts> products;
    for (std::size_t k = 0; k < automata.size(); ++k) {
        products.emplace_back(automata[k], synth::VerdictBits{std::uint64_t{1} << 2 * k, std::uint64_t{2} << 2 * k});
    }
    synth::Exploration exploration;
    return Batch(ids).map<Explained>([&](const synth::Program& program) {
        const synth::Lts& lts = exploration.of(program);
        Explained found;
        for (std::size_t k = 0; k < products.size(); ++k) {
            if (automata[k].threads != lts.threads()) throw synth::InputFault("found an automaton for another number of threads");
            for (const auto& [live, bits] : products[k].explained(lts)) found[live] |= bits;
        }
        return found;
    });
}

// A model that Python code is asked about.
class PythonAutomaton final : public synth::AutomatonOnDemand {
public:
    PythonAutomaton(nb::handle after, nb::handle fair) : after_(after), fair_(fair) {}
    std::uint32_t after(std::uint32_t state, int thread, bool ends) override {
        return nb::cast<std::uint32_t>(after_(state, thread, ends));
    }
    synth::ThreadSet fair(std::uint32_t state, synth::ThreadSet live) override {
        return nb::cast<synth::ThreadSet>(fair_(state, live)) & live;
    }

private:
    nb::handle after_, fair_;  // the caller's
};

using PythonModels = std::vector<std::pair<nb::object, nb::object>>;

// Keeps the lock: models are asked all the time.
std::vector<std::pair<bool, bool>> system_fails_on_demand(const synth::Lts& system, const PythonModels& models) {
    std::vector<std::pair<bool, bool>> forms;
    for (const auto& [after, fair] : models) {
        PythonAutomaton automaton(after, fair);
        const synth::Failures found = synth::OnDemandVerdicts(automaton).fails(system);
        forms.emplace_back(found.weak, found.strong);
    }
    return forms;
}

std::vector<std::pair<bool, bool>> fails_on_demand(const nb::str& id, const PythonModels& models) {
    synth::Program program;
    return synth::with_program(program, characters(id), [&](const synth::Program& read) {
        return system_fails_on_demand(synth::Exploration().of(read), models);
    });
}

}  // namespace

void bind_verdicts(nb::module_& m) {
    nb::class_<synth::Automaton>(m, "Automaton", "A progress model for a number of threads, as tables.")
        .def(
            "__init__",
            [](synth::Automaton* made, int threads, std::vector<std::vector<int>> steps, std::vector<std::vector<int>> ends,
               std::vector<std::vector<synth::ThreadSet>> fair) {
                synth::Automaton automaton{threads, std::move(steps), std::move(ends), std::move(fair)};
                automaton.check();
                new (made) synth::Automaton(std::move(automaton));
            },
            nb::arg("threads"), nb::arg("steps"), nb::arg("ends"), nb::arg("fair"),
            "The tables are those of `synth_checker.models.automaton.Automaton`.")
        .def_ro("threads", &synth::Automaton::threads, "For how many threads it is.")
        .def_prop_ro("states", &synth::Automaton::states, "How many states it has.");
    nb::class_<JudgeBinding>(m, "Judge", "Judges programs of a fixed number of threads under fixed automata.")
        .def(nb::init<int, std::vector<synth::Automaton>, const std::vector<std::pair<bool, bool>>&>(), nb::arg("threads"),
             nb::arg("automata"), nb::arg("forms"), "`forms` says of each automaton whether its weak and strong verdicts are asked.")
        .def("verdicts", &verdicts, nb::arg("ids"),
             nb::sig("def verdicts(self, ids: collections.abc.Sequence[str]) -> list[int]"),
             "For each program a bit mask of the verdicts it passes, in the order of the automata and forms.")
        .def("passes", &passes, nb::arg("system"), "The same mask of a transition system.");
    m.def("explained", &explained, nb::arg("ids"), nb::arg("automata"),
          nb::sig("def explained(ids: collections.abc.Sequence[str], automata: collections.abc.Sequence[Automaton]) -> "
                  "list[dict[int, int]]"),
          "For each program, and each set of its threads that may be live at once, a bit mask of the verdicts that allow that "
          "these stay live for ever: two bits an automaton, for its weak and strong form.");
    m.def("fails_on_demand", &fails_on_demand, nb::arg("id"), nb::arg("models"),
          nb::sig("def fails_on_demand(id: str, models: collections.abc.Sequence[tuple[collections.abc.Callable[[int, int, "
                  "bool], int], collections.abc.Callable[[int, int], int]]]) -> list[tuple[bool, bool]]"),
          "For each model whether a program fails its weak and its strong form. A model says which state comes after (state, "
          "thread that steps, whether it ends), from 0 on, and the fair set in (state, live threads).");
    m.def("system_fails_on_demand", &system_fails_on_demand, nb::arg("system"), nb::arg("models"),
          nb::sig("def system_fails_on_demand(system: Lts, models: collections.abc.Sequence[tuple[collections.abc.Callable["
                  "[int, int, bool], int], collections.abc.Callable[[int, int], int]]]) -> list[tuple[bool, bool]]"),
          "The same of a transition system.");
}

}  // namespace bindings
