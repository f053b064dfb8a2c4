// Lanes of processors with NEON, which every ARM of 64 bits has: two in a register.
#pragma once

#include "lanes/vectors.hpp"

namespace {

typedef Word Vector __attribute__((vector_size(16)));

struct Lanes : ByShifts<Vector> {
    static Word zeros(V x) { return static_cast<Word>(x[0] == 0) | static_cast<Word>(x[1] == 0) << 1; }
};

}  // namespace
