// Verdicts under models that only remember which threads have stepped, all in one pass over the system's LTS.
//
// Such an automaton never leaves a state and returns to it while the live set stays the same, and in a recurrent set the
// live set does stay the same. So a recurrent set C of the product lies in one strongly connected component of the
// system's LTS and in one automaton state q, and takes only steps of threads that leave q as it is (they *stay*). With L
// the live set and F the fair set for q and L, constant in C:
//
//   - weak form: C fails it if and only if F is inside X, the threads that step inside C;
//   - strong form, F empty: any C fails it; F not empty: some C fails it if and only if from some state of the product
//     F-steps never leave (q, L), since following them ends in a strongly connected set that is closed under them.
//
// The product is never built. A table, made once for each judge, holds what a set of stepping threads means for each
// verdict. The sets themselves are searched only where they could add a verdict.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "transitions/components.hpp"
#include "transitions/lts.hpp"
#include "verdicts/automaton.hpp"
#include "verdicts/reached_with.hpp"

namespace synth {

class HistoryVerdicts {
public:
    // Return nothing unless the tables stay small: at most 6 threads and 64 joint automaton states.
    static std::unique_ptr<HistoryVerdicts> make(const std::vector<Automaton>& automata,
                                                 const std::vector<VerdictBits>& bits, int threads);

    // The bits of the verdicts that a system fails.
    std::uint64_t fails(const Lts& lts);

private:
    using States = ReachedWith::States;
    using Table = std::vector<std::uint64_t>;  // verdict bits, for [q][live][set of threads]

    HistoryVerdicts(const JointAutomaton& joint, const std::vector<Automaton>& automata,
                    const std::vector<VerdictBits>& bits, int threads);
    std::size_t at(int state, ThreadSet live, ThreadSet threads) const {
        return (static_cast<std::size_t>(state) << (2 * threads_)) | live << threads_ | threads;
    }
    std::uint64_t collect(const Table& table, States states, ThreadSet live, ThreadSet threads) const;
    std::uint64_t judge_component(const Lts& lts, int component, std::uint64_t already);
    States recurrent_by(const Lts& lts, int component, ThreadSet stepping);
    States closed_under(const Lts& lts, int component, ThreadSet fair);

    int threads_;
    std::uint64_t all_ = 0;  // every verdict's bit
    Table single_;           // failed by a state with these self-loops
    Table weak_;             // failed by a recurrent set in which exactly these threads step
    Table strong_;           // failed by a set closed under steps of these threads, which are not none
    ReachedWith reached_;

    Components inner_;
    std::vector<int> place_;
    std::vector<char> is_in_;
};

}  // namespace synth
