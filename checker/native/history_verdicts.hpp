// Verdicts under models that only remember history, all of them in one pass over the program's LTS.
//
// Such an automaton never leaves a state and returns to it while the live set stays the same, and in a recurrent set the
// live set does stay the same. So a recurrent set C of the product lies in one strongly connected component of the
// program's LTS and in one automaton state q, and takes only steps of threads that leave q as it is (`stays`). With L the
// live set and F the fair set for q and L, constant in C:
//
//   - weak form: C fails it if and only if F is inside X, the threads that step inside C;
//   - strong form, F empty: any C fails it; F not empty: some C fails it if and only if some state of the product has all
//     that F-steps reach in (q, L) again, since following F-steps ends in a strongly connected set closed under them.
//
// The product is never built: which automaton states a program state is reached with is a bit mask, pushed through the
// components from the start. What a set of stepping threads means for each verdict is tabled once per judge.
#pragma once

#include <cstdint>
#include <vector>

#include "automaton.hpp"
#include "components.hpp"
#include "lts.hpp"

namespace synth {

class HistoryVerdicts {
public:
    // Whether the tables stay small: at most 6 threads and 64 joint automaton states.
    static bool can_judge(const std::vector<Automaton>& automata, int threads);

    HistoryVerdicts(const std::vector<Automaton>& automata, const std::vector<VerdictBits>& bits, int threads);

    // The bits of the verdicts that a program fails.
    std::uint64_t fails(const Lts& lts, const Components& components);

private:
    using States = std::uint64_t;  // a set of joint automaton states

    States after_step(States states, int thread, bool ends) const;
    std::size_t at(int state, ThreadSet live, ThreadSet threads) const {
        return (static_cast<std::size_t>(state) << (2 * threads_)) | live << threads_ | threads;
    }

    void push(const Lts& lts, int from, int thread, int to);
    void push_inside(const Lts& lts, const Components& components, int component);
    std::uint64_t judge_single(const Lts& lts, int state);
    std::uint64_t judge_component(const Lts& lts, const Components& components, int component, std::uint64_t already);
    States closed_under(const Lts& lts, const Components& components, int component, ThreadSet fair);
    States recurrent_by(const Lts& lts, const Components& components, int component, ThreadSet stepping);
    std::uint64_t collect(const std::vector<std::uint64_t>& table, States states, ThreadSet live, ThreadSet threads) const;

    int threads_;
    int bytes_;                          // of a set of states
    std::uint64_t all_ = 0;              // every verdict's bit
    std::vector<States> step_;           // [thread][ends][byte of a set of states][its value]
    std::vector<std::uint64_t> single_;  // [q][live][self-loops of a state]: verdicts failed by that one state
    std::vector<std::uint64_t> weak_;    // [q][live][X]: failed by a recurrent set in which exactly X step
    std::vector<std::uint64_t> strong_;  // [q][live][F]: failed by a set closed under steps of F

    std::vector<States> reached_with_;  // per program state
    Components inner_;
    std::vector<int> place_;
    std::vector<char> is_in_;
};

}  // namespace synth
