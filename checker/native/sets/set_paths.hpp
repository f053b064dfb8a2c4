// The versions of the code in lanes, one for each kind of processor, and which of them this one can run.
#pragma once

#include <string_view>
#include <vector>

#include "sets/sets.hpp"

namespace synth::sets {

struct Path {
    std::string_view name;
    Decide decide;
    bool supported;  // by this processor
};

// All paths, the fastest first. The last is `portable`, which every processor has.
const std::vector<Path>& paths();

// The first that this processor has.
Decide fastest();

}  // namespace synth::sets
