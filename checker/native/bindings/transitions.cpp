// The binding of transition systems that are given as tables.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "bindings/bind.hpp"
#include "program/by_id.hpp"
#include "program/exploration.hpp"
#include "transitions/lts.hpp"
#include "transitions/table.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

synth::Lts lts_of_program(const std::string& id) {
    synth::Program program;
    synth::Exploration exploration;
    return synth::with_program(program, id, [&](const synth::Program& read) { return exploration.of(read); });
}

synth::TransitionTable table_of(const synth::Lts& lts) {
    synth::TransitionTable table;
    for (int state = 0; state < lts.states(); ++state) {
        auto& row = table.emplace_back();
        for (int t = 0; t < lts.threads(); ++t) row.push_back((lts.live(state) >> t & 1) != 0 ? lts.successor(state, t) : synth::ended);
    }
    return table;
}

}  // namespace

void bind_transitions(nb::module_& m) {
    nb::class_<synth::Lts>(m, "Lts", "A finite transition system with threads.")
        .def(
            "__init__", [](synth::Lts* made, const synth::TransitionTable& table) { new (made) synth::Lts(synth::lts_of(table)); },
            nb::arg("table"), nb::call_guard<nb::gil_scoped_release>(),
            "A row a state, the first being the start: the state after a step of each thread, -1 for one that has ended.")
        .def_static("of_program", &lts_of_program, nb::arg("id"), nb::call_guard<nb::gil_scoped_release>(), "The system of a program.")
        .def("table", &table_of, nb::call_guard<nb::gil_scoped_release>(), "A row a state, as for making one.")
        .def("__len__", &synth::Lts::states, "How many states the start reaches.");
}

}  // namespace bindings
