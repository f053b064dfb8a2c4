// Programs decided by sets in lanes, for any processor.

#include "lanes/portable.hpp"
#include "sets/set_batches.hpp"

namespace synth::sets {

void decide_portable(const Shape& shape, const Models* models, int count, Batch& batch) {
    decide_in<Lanes>(shape, models, count, batch);
}

}  // namespace synth::sets
