// Bindings of programs: normal forms, rules, reachable states. Batches are taken as sequences of ids and decided without
// the interpreter's lock.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/batch.hpp"
#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "program/exploration.hpp"
#include "program/id_layout.hpp"
#include "program/normal.hpp"
#include "program/reachability.hpp"
#include "program/rules.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

int common_threads(const nb::object& ids) {
    const Batch batch(ids);
    int common = -1;
    for (const std::string_view id : batch.ids()) {
        const int threads = synth::id_layout::threads(id);
        if (common >= 0 && threads != common) return -1;
        common = threads;
    }
    return common;
}

nb::list normalise(const nb::object& ids, bool keep_store_checks) {
    const auto forms = Batch(ids).map<std::string>(
        [&](const synth::Program& program) { return synth::normal_form(program, keep_store_checks).id(); });
    nb::list list;
    for (const std::string& form : forms) list.append(nb::str(form.data(), form.size()));
    return list;
}

nb::list broken_rules(const nb::object& ids) {
    synth::RuleChecker checker;
    return numbers(Batch(ids).map<std::uint64_t>(
        [&](const synth::Program& program) -> std::uint64_t { return checker.broken(program); }));
}

}  // namespace

void bind_programs(nb::module_& m) {
    m.def("normalise", &normalise, nb::arg("ids"), nb::arg("keep_store_checks"),
          nb::sig("def normalise(ids: collections.abc.Sequence[str], keep_store_checks: bool) -> list[str]"),
          "The ids of the normal forms of programs.");
    m.def("common_threads", &common_threads, nb::arg("ids"),
          nb::sig("def common_threads(ids: collections.abc.Sequence[str]) -> int"),
          "How many threads each of the programs has, -1 where they differ or there is none.");
    m.def("broken_rules", &broken_rules, nb::arg("ids"),
          nb::sig("def broken_rules(ids: collections.abc.Sequence[str]) -> list[int]"),
          "For each program, the rules it breaks, a bit each in the order of the definitions.");
    m.attr("MAX_STATES") = synth::Exploration::max_states;
    m.def(
        "count_states",
        [](const nb::str& id) {
            synth::Program program;
            program.read(characters(id));
            const nb::gil_scoped_release release;
            return synth::Exploration().of(program).states();
        },
        nb::arg("id"), "How many states a program reaches.");
    m.def(
        "reachable_states",
        [](const nb::str& id, int locations, int values) {
            synth::Program program;
            program.read(characters(id));
            const nb::gil_scoped_release release;
            synth::Reachability found = synth::reachable_states(program, locations, values);
            return std::make_pair(std::move(found.states), std::move(found.trapped));
        },
        nb::arg("id"), nb::arg("locations"), nb::arg("values"),
        "The reachable states of a program, and those of them from which no terminated state is reachable. A state is "
        "the mixed-radix number of (memory, pcs), location 0 the lowest digit, then thread 0.");
}

}  // namespace bindings
