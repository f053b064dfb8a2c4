// The kinds of processor that the search in lanes is compiled for, and which of them this one is.
#pragma once

#include <string_view>
#include <vector>

#include "search/lanes.hpp"

namespace synth::lanes {

struct Path {
    std::string_view name;
    Examine examine;
    bool supported;  // by this processor
};

// All paths, the fastest first. The last is `portable`, which every processor has.
const std::vector<Path>& paths();

}  // namespace synth::lanes
