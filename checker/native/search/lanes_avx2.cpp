// The search in lanes for processors with AVX2.

#ifdef __x86_64__

#include "lanes/avx2.hpp"
#include "search/lane_batches.hpp"

namespace synth::lanes {

Word examine_avx2(const Tables& tables, Work& work, Word steps) { return examine_in<Lanes>(tables, work, steps); }

}  // namespace synth::lanes

#endif
