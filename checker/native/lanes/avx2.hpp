// Lanes of processors with AVX2: four in a register. Include this before all else that is to be compiled for them.
#pragma once

#pragma GCC target("avx2,bmi,bmi2,lzcnt")

#include <immintrin.h>

#include "lanes/vectors.hpp"

namespace {

typedef Word Vector __attribute__((vector_size(32)));

struct Lanes : ByShifts<Vector> {
    static Word zeros(V x) { return static_cast<Word>(_mm256_movemask_pd((__m256d)(x == 0))); }
};

}  // namespace
