// The binding of what finds minimal tests.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "minimality/minimal_filter.hpp"
#include "minimality/shared_orbits.hpp"
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
                      const std::vector<std::pair<bool, bool>>& forms, bool by_orbits,
                      std::shared_ptr<synth::SharedOrbits> shared)
        : filter_(without, automata, read(forms), by_orbits, std::move(shared)) {}

    std::vector<bool> minimal(const std::vector<std::string>& ids, const std::vector<std::uint64_t>& signatures) {
        if (ids.size() != signatures.size()) {
            throw synth::InputFault("found " + std::to_string(signatures.size()) + " signatures, expected " +
                                    std::to_string(ids.size()));
        }
        const std::lock_guard lock(mutex_);
        const Taking taking(filter_);
        for (std::size_t k = 0; k < ids.size(); ++k) filter_.take(ids[k], signatures[k]);
        const std::vector<char> decided = filter_.decided();
        return {decided.begin(), decided.end()};
    }

    // Of ids as lines those that are minimal, likewise.
    nb::bytes minimal_of(const nb::bytes& lines, const nb::bytes& signatures) {
        const std::vector<std::uint64_t> masks = unpacked<std::uint64_t>(signatures);
        std::string found;
        {
            const nb::gil_scoped_release release;
            const std::lock_guard lock(mutex_);
            const Taking taking(filter_);
            std::vector<std::string_view> ids;
            synth::for_each_text(view(lines), [&](std::string_view id, std::size_t k) {
                if (k == masks.size()) throw synth::InputFault("found fewer signatures than ids");
                filter_.take(id, masks[k]);
                ids.push_back(id);
            });
            const std::vector<char> decided = filter_.decided();
            for (std::size_t k = 0; k < ids.size(); ++k) {
                if (decided[k]) (found += ids[k]) += '\n';
            }
        }
        return bindings::bytes(found);
    }

    std::size_t known() {
        const std::lock_guard lock(mutex_);
        return filter_.known();
    }

    std::size_t bytes() {
        const std::lock_guard lock(mutex_);
        return filter_.bytes();
    }

private:
    // A call that ends by an exception leaves no test behind.
    struct Taking {
        explicit Taking(synth::MinimalFilter& filter) : filter(filter) {}
        ~Taking() { filter.forget_taken(); }
        synth::MinimalFilter& filter;
    };

    static std::vector<synth::Forms> read(const std::vector<std::pair<bool, bool>>& asked) {
        std::vector<synth::Forms> forms;
        for (const auto& [weak, strong] : asked) forms.push_back({weak, strong});
        return forms;
    }

    std::mutex mutex_;
    synth::MinimalFilter filter_;
};

}  // namespace

void bind_minimality(nb::module_& m) {
    nb::class_<synth::SharedOrbits>(m, "SharedOrbits", "What the processes of this machine know of orbits, in a file.")
        .def_static(
            "open",
            [](const std::string& file, std::size_t slots) {
                if (slots < 4 || !std::has_single_bit(slots)) throw synth::InputFault("slots: expected a power of two");
                return std::shared_ptr<synth::SharedOrbits>(synth::SharedOrbits::open(file, slots));
            },
            nb::arg("file"), nb::arg("slots"), nb::sig("def open(file: str, slots: int) -> SharedOrbits | None"),
            "Open or make the file, with so many slots of 16 bytes, in a folder of this machine's memory or disks; None if "
            "that is not possible.");
    nb::class_<MinimalityBinding>(m, "Minimality", "Which tests are minimal, under fixed rules and models.")
        .def(nb::init<std::uint32_t, const std::vector<std::vector<synth::Automaton>>&,
                      const std::vector<std::pair<bool, bool>>&, bool, std::shared_ptr<synth::SharedOrbits>>(),
             nb::arg("without"), nb::arg("automata"), nb::arg("forms"), nb::arg("by_orbits") = true,
             nb::arg("shared") = nb::none(),
             "`without` is the mask of the dropped rules, `automata` has those of the models for 1, 2, ... threads, `forms` "
             "says of each model whether its weak and strong verdicts are asked. Without `by_orbits`, all tests are decided one "
             "by one. `shared` is what all processes know under the same models, or None.")
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
