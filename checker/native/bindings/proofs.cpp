// The binding of the checker of proofs.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <string_view>

#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "proofs/proof_checker.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

// One caller at a time: a proof is read from its first line to its last.
class ProofCheckerBinding {
public:
    bool read_formula(const nb::bytes& piece) {
        const std::string_view text = view(piece);
        const nb::gil_scoped_release release;
        return checker_.read_formula(text);
    }

    bool read_proof(const nb::bytes& piece) {
        const std::string_view text = view(piece);
        const nb::gil_scoped_release release;
        return checker_.read_proof(text);
    }

    std::optional<std::string> refusal() {
        const nb::gil_scoped_release release;
        return checker_.refusal();
    }

private:
    synth::ProofChecker checker_;
};

}  // namespace

void bind_proofs(nb::module_& m) {
    nb::class_<ProofCheckerBinding>(m, "ProofChecker", "Checks a DRUP proof; see synth_checker.proofs.")
        .def(nb::init<>())
        .def("read_formula", &ProofCheckerBinding::read_formula, nb::arg("piece"),
             "Read the next piece of the formula; whether what comes behind it still matters.")
        .def("read_proof", &ProofCheckerBinding::read_proof, nb::arg("piece"),
             "Read the next piece of the proof; whether what comes behind it still matters.")
        .def("refusal", &ProofCheckerBinding::refusal,
             "None if the proof, which has been read whole, shows that the formula has no model; else why it does not.");
}

}  // namespace bindings
