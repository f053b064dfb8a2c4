// Write lines of text from ids. A line has the id, its fields as decimal numbers, and an end that the caller chooses, with
// fixed pieces of text between them. The caller chooses the pieces, and so the format.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "program/id_layout.hpp"

namespace synth {

// The pieces of text, in the order of their first use in a line.
struct LinePieces {
    std::string before_id, before_threads;
    std::array<std::string, id_layout::width> before_field;  // loc, check, exch, target
    std::string after_fields;                 // of an instruction
    std::string between_instructions, between_threads, after_threads;
    std::string no_exchange;  // instead of a number
};

class LineWriter {
public:
    explicit LineWriter(const LinePieces& pieces) : pieces_(pieces) {}

    // Append the line of a correct id, without its end, which the caller adds.
    void write(std::string_view id, std::string& lines);

private:
    // There are few different instructions, so their text is made once.
    const std::string& instruction(std::string_view digits);

    const LinePieces& pieces_;
    std::unordered_map<std::uint32_t, std::string> instructions_;  // by their digits
};

}  // namespace synth
