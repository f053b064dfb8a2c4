// Programs decided by sets in lanes, for processors with NEON.

#ifdef __aarch64__

#include "lanes/neon.hpp"
#include "sets/set_batches.hpp"

namespace synth::sets {

void decide_neon(const Shape& shape, const Models* models, int count, Batch& batch) {
    decide_in<Lanes>(shape, models, count, batch);
}

}  // namespace synth::sets

#endif
