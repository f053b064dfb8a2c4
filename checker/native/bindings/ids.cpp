// Bindings of sets of ids. What Python can change meanwhile is read before the interpreter's lock is
// released.

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "bindings/judges.hpp"
#include "lines/id_set.hpp"
#include "lines/signatures.hpp"
#include "program/by_id.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

std::string lines_of(const synth::IdSet& ids, std::size_t first, std::size_t last) {
    std::string lines;
    for (std::size_t place = first; place < last; ++place) (lines += ids[place]) += '\n';
    return lines;
}

nb::dict splits(const synth::IdSet& ids) {
    std::map<std::vector<int>, std::uint64_t> found;
    {
        const nb::gil_scoped_release release;
        found = ids.splits();
    }
    nb::dict counts;
    for (const auto& [sizes, count] : found) counts[nb::tuple(nb::cast(sizes))] = count;
    return counts;
}

nb::bytes verdicts(const synth::IdSet& ids, const std::vector<JudgeBinding*>& judges, std::size_t first, std::size_t last) {
    check_range(first, last, ids.size());
    Loans loans(judges);
    std::vector<std::uint64_t> masks;
    {
        const nb::gil_scoped_release release;
        ManyVerdicts verdicts;
        const auto judge = [&](int threads) -> ProgramJudge& { return loans.for_threads(threads); };
        for (std::size_t place = first; place < last; ++place) verdicts.take(ids[place], judge);
        masks = verdicts.masks();
    }
    return packed(masks);
}

nb::object signatures(const synth::IdSet& ids) {
    if (!ids.has_signatures()) return nb::none();
    synth::Signatures found(ids.size());
    constexpr std::size_t some = 1 << 13;
    for (std::size_t first = 0; first < ids.size(); first += some) {
        found.append(ids.signatures(first, std::min(first + some, ids.size())));
    }
    return nb::cast(std::move(found));
}

}  // namespace

void bind_ids(nb::module_& m) {
    nb::class_<synth::IdSet>(m, "IdSet", "Sorted ids, each once, in one piece of memory; never changed.")
        .def("__len__", &synth::IdSet::size)
        .def(
            "id",
            [](const synth::IdSet& ids, std::size_t place) {
                check_range(place, place + 1, ids.size());
                return nb::str(ids[place].data(), ids[place].size());
            },
            nb::arg("place"), "The id at a place.")
        .def(
            "place",
            [](const synth::IdSet& ids, const nb::str& id) { return ids.lower_bound(characters(id)); }, nb::arg("id"),
            "The place of the first id that is not less.")
        .def(
            "lines",
            [](const synth::IdSet& ids, std::size_t first, std::size_t last) {
                check_range(first, last, ids.size());
                return bytes(lines_of(ids, first, last));
            },
            nb::arg("first"), nb::arg("last"), "The ids at [first, last), each ended by a line end.")
        .def("splits", &splits, nb::sig("def splits(self) -> dict[tuple[int, ...], int]"),
             "The sizes of the threads, and how many ids have them.")
        .def(
            "first_broken",
            [](const synth::IdSet& ids, std::size_t first, std::size_t last, std::uint32_t allowed) {
                check_range(first, last, ids.size());
                const nb::gil_scoped_release release;
                return ids.first_broken(first, last, allowed);
            },
            nb::arg("first"), nb::arg("last"), nb::arg("allowed"),
            "The place of the first id at [first, last) that breaks a rule outside the mask `allowed`, and the mask of "
            "those it breaks; `last` and 0 where none does.")
        .def(
            "least_of_orbits",
            [](const synth::IdSet& ids, std::size_t first, std::size_t last, bool keep_store_checks) {
                check_range(first, last, ids.size());
                std::string lines;
                {
                    const nb::gil_scoped_release release;
                    lines = ids.least_of_orbits(first, last, keep_store_checks);
                }
                return bytes(lines);
            },
            nb::arg("first"), nb::arg("last"), nb::arg("keep_store_checks"),
            "Of the ids at [first, last), as lines, those that no order of the threads makes less.")
        .def("signatures", &signatures, nb::sig("def signatures(self) -> Signatures | None"),
             "The signatures with which the ids were added, or None.")
        .def("verdicts", &verdicts, nb::arg("judges"), nb::arg("first"), nb::arg("last"),
             nb::sig("def verdicts(self, judges: collections.abc.Sequence[Judge], first: int, last: int) -> bytes"),
             "The verdicts of the ids at [first, last), a mask of 8 bytes each, in the order of bytes of this machine; "
             "by the judge for their number of threads.");
    nb::class_<synth::IdCollector>(m, "IdCollector", "Ids as they are found, in any order and some of them twice.")
        .def(nb::init<bool>(), nb::arg("with_signatures") = false)
        .def(
            "add", [](synth::IdCollector& ids, const nb::bytes& lines) { ids.add(view(lines)); }, nb::arg("lines"),
            "Add ids, each ended by a line end.")
        .def(
            "add_judged",
            [](synth::IdCollector& ids, const nb::bytes& lines, const nb::bytes& masks) {
                ids.add(view(lines), unpacked<std::uint64_t>(masks));
            },
            nb::arg("lines"), nb::arg("signatures"),
            "Add ids, each ended by a line end, with their signatures, masks of 8 bytes each, as `examined` gives them.")
        .def(
            "add_set", [](synth::IdCollector& ids, const synth::IdSet& more) { ids.add(more); }, nb::arg("ids"),
            "Add all ids of a set.")
        .def("__len__", &synth::IdCollector::size, "How many were added.")
        .def("sorted", &synth::IdCollector::sorted, "All of them; none is left behind.");
}

}  // namespace bindings
