// The binding of what finds minimal tests.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "minimality/minimality.hpp"
#include "program/by_id.hpp"
#include "verdicts/automaton.hpp"
#include "work/faults.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

// One caller at a time: what it learns of sub-programs is for all.
class MinimalityBinding {
public:
    // The automata of the models for 1, 2, ... threads, and the forms of each model.
    MinimalityBinding(std::uint32_t without, const std::vector<std::vector<synth::Automaton>>& automata,
                      const std::vector<std::pair<bool, bool>>& forms)
        : minimality_(without, judges(automata, forms)) {}

    std::vector<bool> minimal(const std::vector<std::string>& ids, const std::vector<std::uint64_t>& signatures) {
        if (ids.size() != signatures.size()) {
            throw synth::InputFault("found " + std::to_string(signatures.size()) + " signatures, expected " +
                                    std::to_string(ids.size()));
        }
        const std::lock_guard lock(mutex_);
        std::vector<bool> results(ids.size());
        synth::for_each_program(ids, [&](const synth::Program& program, std::size_t k) {
            results[k] = minimality_.is_minimal(program, signatures[k]);
        });
        return results;
    }

    // Of ids as lines those that are minimal, likewise.
    nb::bytes minimal_of(const nb::bytes& lines, const nb::bytes& signatures) {
        const std::vector<std::uint64_t> masks = unpacked<std::uint64_t>(signatures);
        std::string found;
        {
            const nb::gil_scoped_release release;
            const std::lock_guard lock(mutex_);
            synth::for_each_line(view(lines), [&](const synth::Program& program, std::string_view id, std::size_t k) {
                if (k == masks.size()) throw synth::InputFault("found fewer signatures than ids");
                if (minimality_.is_minimal(program, masks[k])) (found += id) += '\n';
            });
        }
        return bindings::bytes(found);
    }

    std::size_t known() {
        const std::lock_guard lock(mutex_);
        return minimality_.known();
    }

    std::size_t bytes() {
        const std::lock_guard lock(mutex_);
        return minimality_.bytes();
    }

private:
    static std::vector<synth::Judge> judges(const std::vector<std::vector<synth::Automaton>>& automata,
                                            const std::vector<std::pair<bool, bool>>& asked) {
        std::vector<synth::Forms> forms;
        for (const auto& [weak, strong] : asked) forms.push_back({weak, strong});
        std::vector<synth::Judge> made;
        for (const std::vector<synth::Automaton>& models : automata) {
            made.emplace_back(static_cast<int>(made.size()) + 1, models, forms);
        }
        return made;
    }

    std::mutex mutex_;
    synth::Minimality minimality_;
};

}  // namespace

void bind_minimality(nb::module_& m) {
    nb::class_<MinimalityBinding>(m, "Minimality", "Which tests are minimal, under fixed rules and models.")
        .def(nb::init<std::uint32_t, const std::vector<std::vector<synth::Automaton>>&,
                      const std::vector<std::pair<bool, bool>>&>(),
             nb::arg("without"), nb::arg("automata"), nb::arg("forms"),
             "`without` is the mask of the dropped rules, `automata` has those of the models for 1, 2, ... threads, `forms` "
             "says of each model whether its weak and strong verdicts are asked.")
        .def("minimal", &MinimalityBinding::minimal, nb::arg("ids"), nb::arg("signatures"),
             nb::call_guard<nb::gil_scoped_release>(),
             "For each program in normal form, whether no sub-program is a test with its signature.")
        .def("minimal_of", &MinimalityBinding::minimal_of, nb::arg("lines"), nb::arg("signatures"),
             "Of programs in normal form, ids each ended by a line end, those that are minimal, likewise; the signatures "
             "are masks of 8 bytes each, as `examined` gives them.")
        .def("known", &MinimalityBinding::known, nb::call_guard<nb::gil_scoped_release>(),
             "How many programs are known by now, sub-programs of what was asked.")
        .def("bytes", &MinimalityBinding::bytes, nb::call_guard<nb::gil_scoped_release>(),
             "How many bytes the memo of programs of usual size takes.");
}

}  // namespace bindings
