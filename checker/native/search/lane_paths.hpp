// The kinds of processor that the search in lanes is compiled for, and which of them this one is.
#pragma once

#include <vector>

#include "lanes/processor.hpp"
#include "search/lanes.hpp"

namespace synth::lanes {

// All paths, the fastest first. The last is `portable`, which every processor has.
const std::vector<Path<Examine>>& paths();

}  // namespace synth::lanes
