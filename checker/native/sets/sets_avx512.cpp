// Programs decided by sets in lanes, for processors with AVX-512.

#ifdef __x86_64__

#include "lanes/avx512.hpp"
#include "sets/set_batches.hpp"

namespace synth::sets {

void decide_avx512(const Shape& shape, const Models* models, int count, Batch& batch) {
    decide_in<Lanes>(shape, models, count, batch);
}

}  // namespace synth::sets

#endif
