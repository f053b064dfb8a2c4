// The rules of section 3 of the definitions.
#pragma once

#include <cstdint>

#include "program/exploration.hpp"
#include "program/program.hpp"

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

// Return whether a program may keep all rules of a mask. The result is false only if the text of the program shows that it
// breaks a rule, for instance because a branch compares with a value that nothing writes. The exchange branches from the
// place `open` on may still lose their exchange or become stores. The result holds for all of these possibilities.
bool may_keep(const Program& program, std::uint32_t rules, int open);

class RuleChecker {
public:
    // Return the rules that a program breaks; it need not be in normal form.
    std::uint32_t broken(const Program& program);

    // The LTS of the program that was judged last.
    const Lts& lts() const { return exploration_.lts(); }

private:
    Exploration exploration_;
};

}  // namespace synth
