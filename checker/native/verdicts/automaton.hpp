// Progress models as automaton tables, and several of them run side by side (definitions, section 4).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "transitions/lts.hpp"

namespace synth {

// State 0 is the start. `steps[q][t]` is the state after thread t has stepped and is live, `ends[q][t]` the one after a
// step with which t terminates, `fair[q][live]` the fair set for each set of live threads.
struct Automaton {
    static constexpr int max_table_threads = 24;  // for so many a row of fair sets takes 64 MB

    int threads = 0;
    std::vector<std::vector<int>> steps;
    std::vector<std::vector<int>> ends;
    std::vector<std::vector<ThreadSet>> fair;

    int states() const { return static_cast<int>(steps.size()); }

    // Throws InputFault if a table has the wrong shape, or has an unknown state or a thread that is not live.
    void check() const;
};

// The bits that stand for the two verdicts of a model among those judged together; 0 for a form that is not asked for.
struct VerdictBits {
    std::uint64_t weak;
    std::uint64_t strong;
};

// Return whether the automaton's only cycles, while no thread terminates, are single states. This is so if the states
// are sets of threads that have stepped, because these only grow. Then a recurrent set of the product has one automaton
// state.
bool remembers_only_history(const Automaton& automaton);

// The reachable part of several automata run side by side: state_of[q][k] is the state of the k-th.
struct JointAutomaton {
    std::vector<std::vector<int>> state_of;
    std::vector<std::vector<int>> steps;
    std::vector<std::vector<int>> ends;

    int states() const { return static_cast<int>(state_of.size()); }
};

// Return nothing if there are more than `most` states, because there may be very many.
std::optional<JointAutomaton> side_by_side(const std::vector<Automaton>& automata, int threads, int most);

}  // namespace synth
