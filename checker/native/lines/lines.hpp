// Check many lines of text at a time: whether they are in order, and up to where two texts agree.
#pragma once

#include <cstddef>
#include <string_view>

namespace synth {

// `count` is the number of lines before the first one that has no line end, or is not greater (as bytes) than the line
// before it. The line before the first is `last`. `all` says whether these are all lines.
struct RisingLines {
    std::size_t count;
    bool all;
};
RisingLines rising_lines(std::string_view text, std::string_view last);

// Return whether each line of a text has a line end, begins with `head`, an id and a quote, and has an id that is greater
// (as bytes) than the one before; the id before the first is `last`. An id here is any non-empty text of digits, lower-case
// letters, `_` and `-`. Nothing else of a line is checked.
bool ids_rise(std::string_view text, std::string_view head, std::string_view last);

// Return how many lines of a text have a line end.
std::size_t ended_lines(std::string_view text);

// Return the length of the lines with which both texts begin.
std::size_t common_lines(std::string_view one, std::string_view other);

}  // namespace synth
