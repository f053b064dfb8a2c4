// The search in lanes for processors with AVX-512.

#ifdef __x86_64__

#include "lanes/avx512.hpp"
#include "search/lane_batches.hpp"

namespace synth::lanes {

Word examine_avx512(const Tables& tables, Work& work, Word steps) { return examine_in<Lanes>(tables, work, steps); }

}  // namespace synth::lanes

#endif
