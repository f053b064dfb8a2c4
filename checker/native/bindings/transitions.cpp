// The binding of transition systems that are given as tables.

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "bindings/bind.hpp"
#include "transitions/lts.hpp"
#include "transitions/table.hpp"

namespace nb = nanobind;

namespace bindings {

void bind_transitions(nb::module_& m) {
    nb::class_<synth::Lts>(m, "Lts", "A finite transition system with threads.")
        .def(
            "__init__", [](synth::Lts* made, const synth::TransitionTable& table) { new (made) synth::Lts(synth::lts_of(table)); },
            nb::arg("table"), nb::call_guard<nb::gil_scoped_release>(),
            "A row a state, the first being the start: the state after a step of each thread, -1 for one that has ended.")
        .def("__len__", &synth::Lts::states, "How many states the start reaches.");
}

}  // namespace bindings
