// What code in lanes needs from a processor: many words side by side, each in a lane of vector registers.
//
// Such code is source that each kind of processor includes once, under its own compiler options. For each kind, a header
// beside this one sets the options and has a type `Lanes`. It has a vector type `V` of words; a type `Turn`, made by `turn`,
// of the numbers by which words are rotated, each by its own modulo 64; `rotated` and `rotated_back`; and `zeros`, a mask
// of the words that are 0.
//
// Code in lanes must not call functions that other files compile as well, such as those of the standard library: the linker
// keeps one copy, which may have instructions that a processor lacks. Everything is in an anonymous namespace for the same
// reason.
#pragma once

#include <cstdint>

#pragma GCC diagnostic ignored "-Wpsabi"  // no vector crosses the border of a file

namespace {

using Word = std::uint64_t;

// Rotations for vectors that can shift each word by a number of its own.
template <class Vector>
struct ByShifts {
    using V = Vector;
    struct Turn {
        V forth, back;
    };
    static Turn turn(V by) { return {by & 63, -by & 63}; }
    static V rotated(V x, const Turn& by) { return x << by.forth | x >> by.back; }
    static V rotated_back(V x, const Turn& by) { return x >> by.forth | x << by.back; }
};

template <class V>
inline constexpr int lanes_of = sizeof(V) / sizeof(Word);

// All ones in the words that are not 0.
template <class V>
V not_zero(V words) {
    if constexpr (lanes_of<V> == 1) {
        return -static_cast<Word>(words != 0);
    } else {
        return (V)(words != 0);
    }
}

template <class Lanes>
bool all_zero(typename Lanes::V words) {
    return Lanes::zeros(words) == (Word{1} << lanes_of<typename Lanes::V>) - 1;
}

}  // namespace
