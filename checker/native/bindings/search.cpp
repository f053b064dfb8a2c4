// The binding of the explicit search.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/bind.hpp"
#include "program/rules.hpp"
#include "search/explicit_search.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

// Keeps the lock: a search is one thing that goes on from call to call, and its callers ask for little at a time.
class ExplicitSearchBinding {
public:
    using Cuts = std::vector<std::tuple<int, std::uint64_t, std::uint64_t>>;

    ExplicitSearchBinding(const synth::Shape& shape, int values, std::uint32_t without,
                          std::vector<std::vector<int>> orders, const Cuts& cuts, const std::string& path)
        : search_(synth::ExplicitSearch::make(shape, values,
                                              {.inter_thread_influence = (without & synth::inter_thread_influence) == 0,
                                               .all_branches = (without & synth::all_branches) == 0,
                                               .effective_stores = (without & synth::effective_stores) == 0,
                                               .meaningful_comparisons = (without & synth::meaningful_comparisons) == 0},
                                              std::move(orders), read(cuts), path)) {}

    nb::bytes tests(std::uint64_t steps) {
        ids_.clear();
        goes_on_ = search_->advance(steps, &ids_);
        return nb::bytes(ids_.data(), ids_.size());
    }

    std::uint64_t count(std::uint64_t steps) {
        goes_on_ = search_->advance(steps, nullptr);
        return search_->found();
    }

    std::uint64_t numbered() const { return search_->numbered(); }

    bool goes_on() const { return goes_on_; }

private:
    static std::vector<synth::Cut> read(const Cuts& cuts) {
        std::vector<synth::Cut> made;
        for (const auto& [depth, index, of] : cuts) made.push_back({depth, index, of});
        return made;
    }

    std::unique_ptr<synth::ExplicitSearch> search_;
    std::string ids_;
    bool goes_on_ = true;
};

}  // namespace

void bind_search(nb::module_& m) {
    m.attr("EXPLICIT_SEARCH_STATES") = static_cast<int>(synth::ExplicitSearch::max_states);
    m.attr("EXPLICIT_SEARCH_VALUES") = static_cast<int>(synth::ExplicitSearch::max_values);
    m.attr("EXPLICIT_SEARCH_ORDER") = static_cast<int>(synth::ExplicitSearch::order);
    m.def("explicit_search_paths", [] {
        std::vector<std::pair<std::string, bool>> named;
        for (const auto& [name, supported] : synth::ExplicitSearch::paths()) named.emplace_back(std::string(name), supported);
        return named;
    }, "The ways to search, the fastest first: the name, and whether this processor has it. All find the same tests.");
    nb::class_<ExplicitSearchBinding>(m, "ExplicitSearch", "The tests of a shape by explicit-state search.")
        .def(nb::init<const synth::Shape&, int, std::uint32_t, std::vector<std::vector<int>>,
                      const ExplicitSearchBinding::Cuts&, const std::string&>(),
             nb::arg("shape"), nb::arg("values"), nb::arg("without"), nb::arg("orders"), nb::arg("cuts"),
             nb::arg("path") = "",
             "`without` is the mask of the dropped rules; each test is written once for each order of its threads. Only the "
             "part is searched that the cuts leave: a depth in decisions, a remainder and a modulus each. `path` is one of "
             "`explicit_search_paths`, or empty for the fastest that the processor has.")
        .def("tests", &ExplicitSearchBinding::tests, nb::arg("steps"),
             "The ids of the tests found in so many steps more, each ended by a line end.")
        .def("count", &ExplicitSearchBinding::count, nb::arg("steps"),
             "How many tests there are up to so many steps more.")
        .def_prop_ro("numbered", &ExplicitSearchBinding::numbered, "How many the last cut has numbered so far.")
        .def_prop_ro("goes_on", &ExplicitSearchBinding::goes_on, "Whether the search has not come to its end.");
}

}  // namespace bindings
