// The search in lanes for processors with NEON.

#ifdef __aarch64__

#include "lanes/neon.hpp"
#include "search/lane_batches.hpp"

namespace synth::lanes {

Word examine_neon(const Tables& tables, Work& work, Word steps) { return examine_in<Lanes>(tables, work, steps); }

}  // namespace synth::lanes

#endif
