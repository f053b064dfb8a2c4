// Find out why a program is not a test, in a form that excludes many other programs: for the lazy mode of the SAT engine.
//
// A program breaks a rule because of what some of its instructions do in some memories. The negation of such a reason (see
// partial_program.hpp) is a clause that every test satisfies.
#pragma once

#include <cstdint>
#include <vector>

#include "lazy/partial_program.hpp"

namespace synth {

class Refutation {
public:
    // `without` is the mask of dropped rules. Throws InputFault if a table does not have the length that the split needs.
    Refutation(const SplitStates& states, OutcomeLiterals literals, std::uint32_t without);

    // Return the clauses that refute a program; none if it breaks no rule that depends on executions.
    // The rules inter-thread-influence and meaningful-comparisons are not checked. Throws InputFault if the program
    // belongs to another split.
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
    bool is_whole_ = false;  // all parts are known, and the reached states are those of the given program
    std::vector<char> marked_;
    std::vector<std::vector<int>> clauses_;
};

}  // namespace synth
