// Why a program is no test, in words that hold of many others: for the lazy mode of the SAT engine.
//
// A proposed program that breaks a rule breaks it because of what some instructions do in some memories. Each such
// effect or jump has a literal; a reason is a set of them from which the breach follows whatever all others are, and its
// negation is a clause that every test satisfies. Reasons are made small by leaving out one literal after the other as
// long as the argument holds of every state that could then be reached.
#pragma once

#include <cstdint>
#include <vector>

#include "program.hpp"
#include "split_states.hpp"

namespace synth {

// The literals for what instructions do; the tables are row-major, 0 where something can't happen.
struct OutcomeLiterals {
    std::vector<int> effects;   // [place][memory][memory after]
    std::vector<int> jumps;     // [place][memory][pc after], as wide as the longest thread has pcs
    std::vector<int> branches;  // [place]: it is a branch
    std::vector<int> writes;    // [place]: it has an exchange
};

class Refutation {
public:
    // `without` is a mask of dropped rules. Throws InputFault where a table is not as long as the split needs.
    Refutation(const SplitStates& states, OutcomeLiterals literals, std::uint32_t without);

    // The clauses that refute a program of the split; none if it breaks no rule that executions decide.
    // The rules inter-thread-influence and meaningful-comparisons are not looked at. Throws InputFault where the program
    // is of another split.
    const std::vector<std::vector<int>>& clauses(const Program& program);

private:
    enum Known : std::uint8_t { nothing = 0, effect = 1, jump = 2, both = 3 };
    struct Parent {
        int state, place;
    };

    std::size_t part(int place, int memory) const { return SplitStates::at(place * states_.memories() + memory); }
    template <class Visit>
    void successors(int state, Visit visit) const;
    template <class Visit>
    void executed_parts(Visit visit) const;
    void grow_whole();
    void grow_from(int start);
    template <class Argument>
    void refute(int start, const std::vector<std::size_t>& given, int condition, Argument holds);
    int trapped_state();
    std::vector<std::size_t> path_to(int state) const;
    bool acyclic();
    void add_clause(const std::vector<std::size_t>& given, int condition);

    const SplitStates& states_;
    OutcomeLiterals literals_;
    std::uint32_t without_;
    int pcs_;  // of the longest thread, its end included
    std::vector<std::vector<int>> any_write_;  // [memory]: all memories that one write can leave behind
    std::vector<Outcome> outcomes_;            // [place][memory], of the program at hand
    std::vector<std::uint8_t> known_;          // [place][memory]: which of the two is part of the reason
    GrowingSet reached_;
    bool is_whole_ = false;  // what is reached is what the program at hand reaches, and all of it is known
    std::vector<Parent> parents_;
    std::vector<char> marked_;
    std::vector<std::vector<int>> clauses_;
};

}  // namespace synth
