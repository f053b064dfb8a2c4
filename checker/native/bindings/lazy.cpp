// The binding of what judges the proposals of a SAT solver.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "lazy/completion.hpp"
#include "lazy/refutation.hpp"
#include "lazy/verdict_refutation.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

// Judges proposals of a SAT solver: the completions of a program that is a test, the refutation of one that is not.
class LazyCheckerBinding {
public:
    using Wanted = std::tuple<synth::Automaton, bool, bool>;

    LazyCheckerBinding(const std::vector<int>& sizes, int locations, int values, std::uint32_t without,
                       std::vector<int> open, std::vector<int> effects, std::vector<int> jumps,
                       std::vector<int> branches, std::vector<int> writes, const std::vector<Wanted>& wanted)
        : states_(sizes, locations, values),
          refutation_(states_, {effects, jumps, branches, writes}, without),
          verdicts_(states_, {std::move(effects), std::move(jumps), std::move(branches), std::move(writes)},
                    wanted_verdicts(wanted)),
          completion_(states_, std::move(open), without) {}

    const std::vector<std::vector<int>>& refuted_by(const nb::str& id) {
        program_.read(characters(id));
        const std::vector<std::vector<int>>& clauses = refutation_.clauses(program_);
        return clauses.empty() ? verdicts_.clauses(program_) : clauses;
    }

    std::vector<std::string> completions(const nb::str& id) {
        program_.read(characters(id));
        return completion_.complete(program_);
    }

private:
    static std::vector<synth::WantedVerdict> wanted_verdicts(const std::vector<Wanted>& wanted) {
        std::vector<synth::WantedVerdict> made;
        for (const auto& [automaton, strong, passes] : wanted) made.push_back({automaton, strong, passes});
        return made;
    }

    synth::SplitStates states_;
    synth::Refutation refutation_;
    synth::VerdictRefutation verdicts_;
    synth::Completion completion_;
    synth::Program program_;
};

}  // namespace

void bind_lazy(nb::module_& m) {
    nb::class_<LazyCheckerBinding>(m, "LazyChecker", "Judges the programs that a SAT solver proposes for a split.")
        .def(nb::init<const std::vector<int>&, int, int, std::uint32_t, std::vector<int>, std::vector<int>,
                      std::vector<int>, std::vector<int>, std::vector<int>,
                      const std::vector<LazyCheckerBinding::Wanted>&>(),
             nb::arg("sizes"), nb::arg("locations"), nb::arg("values"), nb::arg("without"), nb::arg("open"),
             nb::arg("effects"), nb::arg("jumps"), nb::arg("branches"), nb::arg("writes"),
             nb::arg("wanted"),
             "`without` is the mask of the dropped rules, `open` the places that a skeleton leaves open. Of literals, 0 "
             "where something can't happen: `effects` per place, memory and memory left behind, `jumps` per place, memory "
             "and next pc, `branches` and `writes` per place. Memories are mixed-radix numbers, location 0 the lowest digit. "
             "`wanted` holds verdicts: the automaton, whether it is strong and whether it is passed.")
        .def("refuted_by", &LazyCheckerBinding::refuted_by, nb::arg("id"),
             "Clauses that a program breaks and every wanted test satisfies; none if it breaks no rule that executions decide, "
             "and its verdicts are as wanted.")
        .def("completions", &LazyCheckerBinding::completions, nb::arg("id"),
             "The ids of the tests that agree with a program in all but the open places.");
}

}  // namespace bindings
