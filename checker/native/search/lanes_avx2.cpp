// The search in lanes for processors with AVX2: four lanes in a register.

#include "search/lanes.hpp"

#ifdef __x86_64__

#pragma GCC target("avx2,bmi,bmi2,lzcnt")

#include <immintrin.h>

#include "search/lane_batches.hpp"

namespace {

typedef Word Vector __attribute__((vector_size(32)));

struct Avx2 : ByShifts<Vector> {
    static constexpr int vectors = 4;
    static Word zeros(V x) { return static_cast<Word>(_mm256_movemask_pd((__m256d)(x == 0))); }
};

}  // namespace

namespace synth::lanes {

Word examine_avx2(const Tables& tables, Work& work, Word steps) { return examine_in<Avx2>(tables, work, steps); }

}  // namespace synth::lanes

#endif
