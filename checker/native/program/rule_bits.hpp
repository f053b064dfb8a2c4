// The rules by number.
#pragma once

#include <cstdint>

namespace synth {

// Bit k stands for the k-th rule of the definitions; synth_checker/programs/rules.py names them in the same order.
enum Rule : std::uint32_t {
    possible_termination = 1 << 0,
    non_termination_cycle = 1 << 1,
    executed = 1 << 2,
    inter_thread_influence = 1 << 3,
    all_branches = 1 << 4,
    effective_stores = 1 << 5,
    meaningful_comparisons = 1 << 6,
};

}  // namespace synth
