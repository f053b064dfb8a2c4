// Bindings of sets of ids and of what is made of them, without the interpreter's lock. What Python can change meanwhile
// is read before that is released.

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <string>

#include "bindings/bindings.hpp"
#include "work/faults.hpp"
#include "lines/id_set.hpp"
#include "lines/line_writer.hpp"
#include "lines/lines.hpp"
#include "lines/signatures.hpp"
#include "work/work.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

void check_range(std::size_t first, std::size_t last, std::size_t size) {
    if (first > last || last > size) throw nb::index_error("no range of places in the set");
}

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
        masks.reserve(last - first);
        synth::Program program;
        for (std::size_t place = first; place < last; ++place) {
            synth::worked(synth::one_program);
            program.read(ids[place]);
            try {
                masks.push_back(loans.for_threads(program.threads()).passes(program));
            } catch (const synth::LimitFault& fault) {
                throw synth::LimitFault(fault.what(), ids[place]);
            }
        }
    }
    return packed(masks);
}

void append(synth::Signatures& signatures, const nb::bytes& masks) { signatures.append(unpacked<std::uint64_t>(masks)); }

class LineWriterBinding {
public:
    LineWriterBinding(std::string before_id, std::string before_threads, std::array<std::string, 4> before_field,
                      std::string after_fields, std::string between_instructions, std::string between_threads,
                      std::string after_threads, std::string no_exchange)
        : pieces_{std::move(before_id),    std::move(before_threads),       std::move(before_field),
                  std::move(after_fields), std::move(between_instructions), std::move(between_threads),
                  std::move(after_threads), std::move(no_exchange)} {}

    std::string line(const nb::str& id, const std::string& end) const {
        const std::string_view text = characters(id);
        synth::Program().read(text);
        std::string line;
        synth::LineWriter(pieces_).write(text, line);
        return line + end;
    }

    nb::bytes lines(const synth::IdSet& ids, const synth::Signatures& signatures, const std::vector<std::string>& ends,
                    std::size_t first, std::size_t last) const {
        check_range(first, last, std::min(ids.size(), signatures.size()));
        std::string lines;
        {
            const nb::gil_scoped_release release;
            synth::LineWriter writer(pieces_);
            for (std::size_t place = first; place < last; ++place) {
                synth::worked(synth::one_program);
                writer.write(ids[place], lines);
                lines += ends.at(signatures.number(place));
            }
        }
        return bytes(lines);
    }

private:
    synth::LinePieces pieces_;
};

void bind_sets(nb::module_& m) {
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
        .def("verdicts", &verdicts, nb::arg("judges"), nb::arg("first"), nb::arg("last"),
             nb::sig("def verdicts(self, judges: collections.abc.Sequence[Judge], first: int, last: int) -> bytes"),
             "The verdicts of the ids at [first, last), a mask of 8 bytes each, in the order of bytes of this machine; "
             "by the judge for their number of threads.");
    nb::class_<synth::IdCollector>(m, "IdCollector", "Ids as they are found, in any order and some of them twice.")
        .def(nb::init<>())
        .def(
            "add", [](synth::IdCollector& ids, const nb::bytes& lines) { ids.add(view(lines)); }, nb::arg("lines"),
            "Add ids, each ended by a line end.")
        .def(
            "add_set", [](synth::IdCollector& ids, const synth::IdSet& more) { ids.add(more); }, nb::arg("ids"),
            "Add all ids of a set.")
        .def("__len__", &synth::IdCollector::size, "How many were added.")
        .def("sorted", &synth::IdCollector::sorted, "All of them; none is left behind.");
}

}  // namespace

void bind_ids(nb::module_& m) {
    bind_sets(m);
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
    nb::class_<LineWriterBinding>(m, "LineWriter", "Writes a line for an id, out of pieces of text.")
        .def(nb::init<std::string, std::string, std::array<std::string, 4>, std::string, std::string, std::string,
                      std::string, std::string>(),
             nb::kw_only(), nb::arg("before_id"), nb::arg("before_threads"), nb::arg("before_field"),
             nb::arg("after_fields"), nb::arg("between_instructions"), nb::arg("between_threads"),
             nb::arg("after_threads"), nb::arg("no_exchange"),
             nb::sig("def __init__(self, *, before_id: str, before_threads: str, before_field: collections.abc.Sequence[str], "
                     "after_fields: str, between_instructions: str, between_threads: str, after_threads: str, "
                     "no_exchange: str) -> None"),
             "The pieces in the order in which they first stand in a line; an instruction's fields are loc, check, exch "
             "and target, and `no_exchange` stands for a number.")
        .def("line", &LineWriterBinding::line, nb::arg("id"), nb::arg("end"), "The line of an id, with that end.")
        .def("lines", &LineWriterBinding::lines, nb::arg("ids"), nb::arg("signatures"), nb::arg("ends"),
             nb::arg("first"), nb::arg("last"),
             nb::sig("def lines(self, ids: IdSet, signatures: Signatures, ends: collections.abc.Sequence[str], first: int, "
                     "last: int) -> bytes"),
             "The lines of the ids at [first, last); `ends` holds the end for each of the signatures' masks.");
    m.def(
        "rising_lines",
        [](const nb::bytes& text, const nb::bytes& last) {
            const synth::RisingLines found = synth::rising_lines(view(text), view(last));
            return std::make_pair(found.count, found.all);
        },
        nb::arg("text"), nb::arg("last"),
        "How many lines come before the first that is not ended, or not greater than the one before it, which for the "
        "first is `last`; whether that is all of them.");
    m.def(
        "ids_rise",
        [](const nb::bytes& text, const nb::bytes& head, const nb::bytes& last) {
            const auto lines = view(text), start = view(head), before = view(last);
            const nb::gil_scoped_release released;
            return synth::ids_rise(lines, start, before);
        },
        nb::arg("text"), nb::arg("head"), nb::arg("last"),
        "Whether each line is ended, begins with `head`, an id and a quote, and the ids rise from `last`.");
    m.def(
        "ended_lines",
        [](const nb::bytes& text) {
            const auto lines = view(text);
            const nb::gil_scoped_release released;
            return synth::ended_lines(lines);
        },
        nb::arg("text"), "How many lines of a text are ended; several times as fast as `bytes.count`.");
    m.def(
        "common_lines",
        [](const nb::bytes& one, std::size_t at, const nb::bytes& other, std::size_t other_at) {
            if (at > one.size() || other_at > other.size()) throw synth::InputFault("found a place behind the text");
            return synth::common_lines(view(one).substr(at), view(other).substr(other_at));
        },
        nb::arg("one"), nb::arg("at"), nb::arg("other"), nb::arg("other_at"),
        "The length of the lines that two texts have in common from these places on.");
}

}  // namespace bindings
