// The kinds of processor that programs are decided for in lanes, and which of them this one is.
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
