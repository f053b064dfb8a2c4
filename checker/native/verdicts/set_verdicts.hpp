// Verdicts under models that only remember history, by sets of states (transitions/set_lts.hpp).
//
// For each state of the automata side by side, one set has the system's states that are reached with it. Steps that leave
// the automata as they are close the set, and all other steps lead to other sets. What the tables of `HistoryVerdicts` say
// then decides every verdict, as there. `HistoryVerdicts` is the twin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "transitions/set_lts.hpp"
#include "verdicts/history_verdicts.hpp"

namespace synth {

class SetVerdicts {
public:
    // `history` must live as long as this.
    SetVerdicts(const HistoryVerdicts& history, int threads);

    // The bits of the verdicts that a system fails.
    std::uint64_t fails(const SetLts& lts);

private:
    using States = HistoryVerdicts::States;

    void push(const SetLts& lts);
    States with(StateSet set) const;
    std::uint64_t judge_loops(const SetLts& lts, ThreadSet live) const;
    std::uint64_t judge_component(const SetLts& lts, StateSet component, ThreadSet live, std::uint64_t failed) const;
    States recurrent_by(const SetLts& lts, StateSet component, ThreadSet stepping) const;

    const HistoryVerdicts* history_;
    int threads_;
    std::vector<std::size_t> next_;  // automaton state, by automaton state, thread, and whether it ends
    std::vector<StateSet> reached_;  // by automaton state
};

}  // namespace synth
