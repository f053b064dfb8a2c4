// The search in lanes for processors with AVX2: four lanes in a register.

#include "search/lanes.hpp"

#ifdef __x86_64__

#pragma GCC target("avx2,bmi,bmi2,lzcnt")

#include "search/lane_batches.hpp"

namespace {

struct Avx2 {
    typedef Word V __attribute__((vector_size(32)));
    static constexpr int vectors = 4;
    static V count(V by) { return by & 63; }
    static V rotated(V x, V forth, V back) { return x << forth | x >> back; }
};

}  // namespace

namespace synth::lanes {

Word examine_avx2(const Tables& tables, Work& work, Word steps) { return examine_in<Avx2>(tables, work, steps); }

}  // namespace synth::lanes

#endif
