// Transition systems that are given as tables: what any system is that is neither a program nor known to the core.
#pragma once

#include <vector>

#include "transitions/lts.hpp"

namespace synth {

// A row a state, state 0 being the start: the state after a step of each thread, or `ended` for one that has terminated.
using TransitionTable = std::vector<std::vector<int>>;
constexpr int ended = -1;

// The part of a table that the start reaches.
// Throws InputFault where a row has the wrong length or names a state that is not there, or where a step ends another
// thread than its own or makes one live again; LimitFault for more than Lts::max_threads threads.
Lts lts_of(const TransitionTable& table);

}  // namespace synth
