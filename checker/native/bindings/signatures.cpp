// The binding of signatures.

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstdint>

#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "lines/signatures.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

void append(synth::Signatures& signatures, const nb::bytes& masks) { signatures.append(unpacked<std::uint64_t>(masks)); }

}  // namespace

void bind_signatures(nb::module_& m) {
    nb::class_<synth::Signatures>(m, "Signatures", "A bit mask of verdicts a test, of which few are different.")
        .def(nb::init<std::size_t>(), nb::arg("room"), "With room for so many tests.")
        .def("append", &append, nb::arg("masks"), "Append masks of 8 bytes each, as `IdSet.verdicts` gives them.")
        .def("__len__", &synth::Signatures::size)
        .def(
            "mask",
            [](const synth::Signatures& signatures, std::size_t place) {
                check_range(place, place + 1, signatures.size());
                return signatures[place];
            },
            nb::arg("place"), "The mask of a test.")
        .def("masks", &synth::Signatures::masks, "The different masks, in the order in which they came.",
             nb::sig("def masks(self) -> list[int]"))
        .def("counts", &synth::Signatures::counts, "How many tests have each of `masks`.",
             nb::sig("def counts(self) -> list[int]"));
}

}  // namespace bindings
