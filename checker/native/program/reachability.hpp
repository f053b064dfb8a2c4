// Find the states that a program reaches, by their numbers. The SAT engine compares them with those that a solution marks.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"

namespace synth {

struct Reachability {
    std::vector<std::int64_t> states;   // sorted
    std::vector<std::int64_t> trapped;  // those from which no terminated state is reachable, sorted
};

// States are numbered by (memory, pcs) as a mixed-radix number: location 0 is the lowest digit, to the base `values`,
// then the pc of thread 0, to the base of its size + 1. The program may use fewer locations and values than given.
// Throws InputFault if it uses more, and LimitFault if the numbers are too large.
Reachability reachable_states(const Program& program, int locations, int values);

}  // namespace synth
