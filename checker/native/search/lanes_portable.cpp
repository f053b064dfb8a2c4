// The search in lanes for any processor.

#include "lanes/portable.hpp"
#include "search/lane_batches.hpp"

namespace synth::lanes {

Word examine_portable(const Tables& tables, Work& work, Word steps) { return examine_in<Lanes>(tables, work, steps); }

}  // namespace synth::lanes
