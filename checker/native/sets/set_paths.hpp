// The versions of the code that decides programs in lanes, and which of them this processor can run.
#pragma once

#include <vector>

#include "lanes/processor.hpp"
#include "sets/sets.hpp"

namespace synth::sets {

// All paths, the fastest first. The last is `portable`, which every processor has.
const std::vector<lanes::Path<Decide>>& paths();

// The first that this processor has.
Decide fastest();

}  // namespace synth::sets
