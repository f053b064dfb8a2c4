// Text as lines, many at a time: whether they are in order, and where two texts part.
#pragma once

#include <cstddef>
#include <string_view>

namespace synth {

// How many lines of a text come before the first that is not ended, or not greater, as bytes, than the one before it, which
// for the first is `last`; whether that is all of them.
struct RisingLines {
    std::size_t count;
    bool all;
};
RisingLines rising_lines(std::string_view text, std::string_view last);

// Whether each line of a text is ended, begins with `head` and behind that with an id and a quote, and the ids rise, as bytes,
// from `last`. An id here is digits, lower-case letters, `_` and `-`, one at least; nothing else of a line is looked at.
bool ids_rise(std::string_view text, std::string_view head, std::string_view last);

// How many lines of a text are ended.
std::size_t ended_lines(std::string_view text);

// The length of the lines with which both texts begin.
std::size_t common_lines(std::string_view one, std::string_view other);

}  // namespace synth
