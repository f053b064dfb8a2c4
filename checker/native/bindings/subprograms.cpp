// Bindings of sub-programs.

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <vector>

#include "bindings/bind.hpp"
#include "minimality/embedding.hpp"
#include "minimality/relaxations.hpp"
#include "program/by_id.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

using NamedRelaxation = std::tuple<int, int, int, std::string>;

std::vector<std::vector<NamedRelaxation>> relaxations(const std::vector<std::string>& ids, bool keep_store_checks) {
    synth::Relaxer relaxer(keep_store_checks);
    synth::Program relaxed;
    std::vector<synth::Relaxation> found;
    std::vector<std::vector<NamedRelaxation>> rows(ids.size());
    synth::for_each_program(ids, [&](const synth::Program& program, std::size_t k) {
        synth::find_relaxations(program, found);
        for (const synth::Relaxation& one : found) {
            relaxer.relax(program, one, relaxed);
            rows[k].emplace_back(one.kind, one.first, one.second, relaxed.id());
        }
    });
    return rows;
}

std::vector<std::vector<int>> contained(const std::vector<std::string>& ids, const std::vector<std::string>& parts) {
    std::vector<synth::Program> small(parts.size());
    synth::for_each_program(parts, [&](const synth::Program& part, std::size_t k) { small[k] = part; });
    std::vector<std::vector<int>> found(ids.size());
    synth::for_each_program(ids, [&](const synth::Program& program, std::size_t k) {
        for (std::size_t part = 0; part < small.size(); ++part) {
            if (synth::is_within(small[part], program)) found[k].push_back(static_cast<int>(part));
        }
    });
    return found;
}

}  // namespace

void bind_subprograms(nb::module_& m) {
    m.def("relaxations", &relaxations, nb::arg("ids"), nb::arg("keep_store_checks"),
          nb::call_guard<nb::gil_scoped_release>(),
          "The relaxations of programs in normal form: kind, thread and place or the two names, id of what is left.");
    m.def("contained", &contained, nb::arg("ids"), nb::arg("parts"), nb::call_guard<nb::gil_scoped_release>(),
          "For each program, the places of the parts that are it or are among its sub-programs; all in normal form.");
}

}  // namespace bindings
