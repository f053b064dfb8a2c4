// The relaxations of a program (definitions, section 6): the steps that lead to its sub-programs.
//
// Each is a change of the program in place, after which normal form does the rest: an instruction is deleted by making it
// a no-op, an exchange branch becomes a store by jumping to what follows it.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"

namespace synth {

struct Relaxation {
    // In the order of the definitions; synth_checker/reductions/subprograms.py names them in the same order.
    enum Kind : std::uint8_t { deletion, drop_of_exchange, turn_into_store, merge_of_locations, merge_of_values };

    Kind kind;
    // The thread and the place in it; of a merge, the name that stays and the one that becomes it.
    std::int8_t first;
    std::int8_t second;
};

// The deletions of a program's instructions, in their order.
void find_deletions(const Program& program, std::vector<Relaxation>& found);

// All relaxations of a program in normal form, deletions first. 0 is one of its values, whether it names it or not.
void find_relaxations(const Program& program, std::vector<Relaxation>& found);

// Relax a program, the result in normal form: without threads where nothing is left.
class Relaxer {
public:
    explicit Relaxer(bool keep_store_checks) : keep_store_checks_(keep_store_checks) {}

    void relax(const Program& program, Relaxation relaxation, Program& result);

private:
    bool keep_store_checks_;
    Program changed_;
};

}  // namespace synth
