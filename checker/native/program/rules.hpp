// The rules of section 3 of the definitions.
#pragma once

#include <cstdint>

#include "program/exploration.hpp"
#include "program/program.hpp"
#include "program/rule_bits.hpp"

namespace synth {

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
