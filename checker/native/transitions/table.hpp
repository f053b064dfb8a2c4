// Transition systems that are given as tables: any system that is not a program.
#pragma once

#include <vector>

#include "transitions/lts.hpp"

namespace synth {

// A row for each state; state 0 is the start. It holds the state after a step of each thread, or `ended` if the thread has
// terminated.
using TransitionTable = std::vector<std::vector<int>>;
constexpr int ended = -1;

// Return the part of a table that can be reached from the start.
// Throws InputFault if a row has the wrong length or an unknown state, or if a step ends another thread than its own or
// makes a thread live again. Throws LimitFault if there are more than Lts::max_threads threads.
Lts lts_of(const TransitionTable& table);

}  // namespace synth
