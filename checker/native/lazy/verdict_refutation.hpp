// Find out why a program has an unwanted verdict, in a form that excludes many other programs: for directed synthesis.
//
// A partly known program certainly fails if its certain steps contain a recurrent set as in the definitions (section 5).
// It certainly passes if even its possible steps contain none. So both verdicts have reasons, see partial_program.hpp.
// Recurrent sets are found as greatest fixpoints on the product with the model's automaton, one for each form:
//   strong: each state has a step into the set, and one of each thread that is fair there. A strongly connected part of it
//           that no step leaves is recurrent, and fair steps stay in it.
//   weak:   each state has a step into the set. Also, for each thread, a path inside the set leads to a state where the
//           thread is not fair or steps inside. This is Emerson and Lei's fixpoint (LICS 1986); the fairness of a thread is
//           a generalised Buechi set.
#pragma once

#include <vector>

#include "lazy/partial_program.hpp"
#include "verdicts/automaton.hpp"

namespace synth {

// A verdict under one form of a model, and whether a test must pass it.
struct WantedVerdict {
    Automaton automaton;
    bool strong;
    bool passes;
};

class VerdictRefutation {
public:
    // Throws InputFault if a table does not have the length that the split needs, or an automaton is for another number
    // of threads.
    VerdictRefutation(const SplitStates& states, OutcomeLiterals literals, std::vector<WantedVerdict> wanted);

    // Return, for each unwanted verdict of the program, a clause that the program breaks. No program whose verdicts are
    // all as wanted breaks such a clause. Throws InputFault if the program belongs to another split.
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
