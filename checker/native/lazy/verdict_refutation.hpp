// Why a program's verdict is not the one that is wanted, in words that hold of many others: for directed synthesis.
//
// A program fails if what it does for certain, by the part of it that is known, holds a recurrent set as the definitions
// (section 5) say; and it passes if even what it may do holds none. So both have reasons, see partial_program.hpp.
// Recurrent sets are decided as greatest fixpoints on the product with the model's automaton, by a fixpoint a form:
//   strong: each state has a step into the set, and one of each thread that is fair there. A strongly connected set of it
//           that no step leaves is recurrent, and fair steps stay in it.
//   weak:   each state has a step into the set and, for each thread, a way inside to a state where the thread is not fair
//           or steps inside: Emerson and Lei's fixpoint (LICS 1986), fairness of a thread being a generalised Buechi set.
#pragma once

#include <vector>

#include "lazy/partial_program.hpp"
#include "verdicts/automaton.hpp"

namespace synth {

// A verdict under a form of a model, and whether it is to be passed.
struct WantedVerdict {
    Automaton automaton;
    bool strong;
    bool passes;
};

class VerdictRefutation {
public:
    // Throws InputFault where a table is not as long as the split needs, or an automaton is for other threads.
    VerdictRefutation(const SplitStates& states, OutcomeLiterals literals, std::vector<WantedVerdict> wanted);

    // For each verdict that is not as wanted a clause that the program breaks, and none for which all verdicts are as
    // wanted; no clause if they are. Throws InputFault where the program is of another split.
    const std::vector<std::vector<int>>& clauses(const Program& program);

private:
    struct Edge {
        int thread, to;
    };

    template <class Steps>
    bool runs_for_ever(const WantedVerdict& verdict, Steps steps);
    template <class Steps>
    void build(const Automaton& automaton, Steps steps);
    bool remove_stuck(const WantedVerdict& verdict);
    bool remove_unfair(int thread);
    ThreadSet steps_inside(int node) const;
    ThreadSet live(int state) const;

    const SplitStates& states_;
    PartialProgram partial_;
    std::vector<WantedVerdict> wanted_;
    std::vector<std::vector<int>> clauses_;

    // The product: nodes in the order in which they are reached.
    std::vector<int> number_;         // of (program state, automaton state), -1 where it is not reached
    std::vector<int> pairs_;          // of a node
    std::vector<ThreadSet> fair_;     // of a node
    std::vector<std::size_t> first_;  // edges of a node: [first_[node], first_[node + 1])
    std::vector<Edge> edges_;
    std::vector<char> inside_, marked_;
};

}  // namespace synth
