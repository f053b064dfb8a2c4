// The search in lanes for processors with AVX-512: eight lanes in a register.

#include "search/lanes.hpp"

#ifdef __x86_64__

#pragma GCC target("avx2,bmi,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")

#include <immintrin.h>

#include "search/lane_batches.hpp"

namespace {

struct Avx512 {
    typedef Word V __attribute__((vector_size(64)));
    static constexpr int vectors = 4;
    using Turn = V;
    static Turn turn(V by) { return by; }
    static V rotated(V x, Turn by) { return (V)_mm512_maskz_rolv_epi64(0xff, (__m512i)x, (__m512i)by); }
    static V rotated_back(V x, Turn by) { return (V)_mm512_maskz_rorv_epi64(0xff, (__m512i)x, (__m512i)by); }
    static Word zeros(V x) { return _mm512_testn_epi64_mask((__m512i)x, (__m512i)x); }
};

}  // namespace

namespace synth::lanes {

Word examine_avx512(const Tables& tables, Work& work, Word steps) { return examine_in<Avx512>(tables, work, steps); }

}  // namespace synth::lanes

#endif
