// Lanes of processors with AVX-512: eight in a register. Include this before all else that is to be compiled for them.
#pragma once

#pragma GCC target("avx2,bmi,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")

#include <immintrin.h>

#include "lanes/vectors.hpp"

namespace {

struct Lanes {
    typedef Word V __attribute__((vector_size(64)));
    using Turn = V;
    static Turn turn(V by) { return by; }
    static V rotated(V x, Turn by) { return (V)_mm512_maskz_rolv_epi64(0xff, (__m512i)x, (__m512i)by); }
    static V rotated_back(V x, Turn by) { return (V)_mm512_maskz_rorv_epi64(0xff, (__m512i)x, (__m512i)by); }
    static Word zeros(V x) { return _mm512_testn_epi64_mask((__m512i)x, (__m512i)x); }
};

}  // namespace
