// The search in lanes for processors with NEON, which every ARM of 64 bits has: two lanes in a register.

#include "search/lanes.hpp"

#ifdef __aarch64__

#include "search/lane_batches.hpp"

namespace {

typedef Word Vector __attribute__((vector_size(16)));

struct Neon : ByShifts<Vector> {
    static constexpr int vectors = 4;
    static Word zeros(V x) { return static_cast<Word>(x[0] == 0) | static_cast<Word>(x[1] == 0) << 1; }
};

}  // namespace

namespace synth::lanes {

Word examine_neon(const Tables& tables, Work& work, Word steps) { return examine_in<Neon>(tables, work, steps); }

}  // namespace synth::lanes

#endif
