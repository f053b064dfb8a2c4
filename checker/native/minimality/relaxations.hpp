// The relaxations of a program (definitions, section 6): the steps that lead to its sub-programs.
//
// Each is a change of the program in place, after which the program is brought into normal form. To delete an instruction,
// it becomes a no-op. To turn an exchange branch into a store, its target becomes the next location.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"

namespace synth {

struct Relaxation {
    // In the order of the definitions; synth_checker/reductions/subprograms.py names them in the same order.
    enum Kind : std::uint8_t { deletion, drop_of_exchange, turn_into_store, merge_of_locations, merge_of_values };

    Kind kind;
    // The thread and the place in it. For a merge, the name that stays and the name that is replaced by it.
    std::int8_t first;
    std::int8_t second;
};

// Find the deletions of a program's instructions, in their order.
void find_deletions(const Program& program, std::vector<Relaxation>& found);

// Find all relaxations of a program in normal form, deletions first. The value 0 counts as one of its values in any case.
void find_relaxations(const Program& program, std::vector<Relaxation>& found);

// Relaxes a program. The result is in normal form, and has no threads if no instruction is left.
class Relaxer {
public:
    explicit Relaxer(bool keep_store_checks) : keep_store_checks_(keep_store_checks) {}

    void relax(const Program& program, Relaxation relaxation, Program& result);

private:
    bool keep_store_checks_;
    Program changed_;
};

}  // namespace synth
