// Why a program is no test, in words that hold of many others: for the lazy mode of the SAT engine.
//
// A proposed program that breaks a rule breaks it because of what some instructions do in some memories. The negation of
// such a reason (see partial_program.hpp) is a clause that every test satisfies.
#pragma once

#include <cstdint>
#include <vector>

#include "lazy/partial_program.hpp"

namespace synth {

class Refutation {
public:
    // `without` is a mask of dropped rules. Throws InputFault where a table is not as long as the split needs.
    Refutation(const SplitStates& states, OutcomeLiterals literals, std::uint32_t without);

    // The clauses that refute a program of the split; none if it breaks no rule that executions decide.
    // The rules inter-thread-influence and meaningful-comparisons are not looked at. Throws InputFault where the program
    // is of another split.
    const std::vector<std::vector<int>>& clauses(const Program& program);

private:
    void grow_whole();
    template <class Argument>
    void refute(int start, const std::vector<std::size_t>& given, int condition, Argument holds);
    int trapped_state();
    bool acyclic();

    const SplitStates& states_;
    PartialProgram partial_;
    std::uint32_t without_;
    bool is_whole_ = false;  // what is reached is what the program at hand reaches, and all of it is known
    std::vector<char> marked_;
    std::vector<std::vector<int>> clauses_;
};

}  // namespace synth
