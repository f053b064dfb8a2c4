// Bindings of what writes and compares lines.

#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/bind.hpp"
#include "bindings/conversions.hpp"
#include "lines/id_set.hpp"
#include "lines/line_writer.hpp"
#include "lines/lines.hpp"
#include "lines/signatures.hpp"
#include "program/by_id.hpp"
#include "work/faults.hpp"
#include "work/work.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

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
                // The other lines are about as long as the first one.
                if (place == first) lines.reserve((last - first) * (lines.size() + lines.size() / 8));
            }
        }
        return bytes(lines);
    }

private:
    synth::LinePieces pieces_;
};

}  // namespace

void bind_lines(nb::module_& m) {
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
            if (at > one.size() || other_at > other.size()) throw synth::InputFault("found an index after the end of the text");
            return synth::common_lines(view(one).substr(at), view(other).substr(other_at));
        },
        nb::arg("one"), nb::arg("at"), nb::arg("other"), nb::arg("other_at"),
        "The length of the lines that two texts have in common from these places on.");
}

}  // namespace bindings
