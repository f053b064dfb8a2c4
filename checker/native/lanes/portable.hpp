// Lanes of any processor: one, a machine word.
#pragma once

#include "lanes/vectors.hpp"

namespace {

struct Lanes {
    using V = Word;
    using Turn = V;
    static Turn turn(V by) { return by; }
    static V rotated(V x, Turn by) { return x << (by & 63) | x >> (-by & 63); }  // one instruction
    static V rotated_back(V x, Turn by) { return x >> (by & 63) | x << (-by & 63); }
    static Word zeros(V x) { return x == 0; }
};

}  // namespace
