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
// The product is never built. Tables, made once for each judge, hold what a set of stepping threads means for each
// verdict. The sets themselves are searched only where they could add a verdict.
#pragma once

#include <bit>
#include <cstddef>
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
    using States = ReachedWith::States;
    // Verdict bits by automaton state, live set and set of threads.
    class Table {
    public:
        Table(int states, int threads) : threads_(threads), bits_(static_cast<std::size_t>(states) << (2 * threads)) {}
        std::uint64_t& at(int state, ThreadSet live, ThreadSet some) { return bits_[place(state, live, some)]; }
        // All bits of a set of states.
        std::uint64_t of(States states, ThreadSet live, ThreadSet some) const {
            std::uint64_t verdicts = 0;
            for (; states != 0; states &= states - 1) verdicts |= bits_[place(std::countr_zero(states), live, some)];
            return verdicts;
        }

    private:
        std::size_t place(int state, ThreadSet live, ThreadSet some) const {
            return (static_cast<std::size_t>(state) << (2 * threads_)) | live << threads_ | some;
        }
        int threads_;
        std::vector<std::uint64_t> bits_;
    };

    // Return nothing unless the tables stay small: at most 6 threads and 64 joint automaton states.
    static std::unique_ptr<HistoryVerdicts> make(const std::vector<Automaton>& automata,
                                                 const std::vector<VerdictBits>& bits, int threads);

    // The bits of the verdicts that a system fails.
    std::uint64_t fails(const Lts& lts);

    // The automata side by side, every verdict's bit, and what is failed: by a recurrent set in which exactly these threads
    // step, by a set closed under steps of these threads, which are not none.
    const JointAutomaton& joint() const { return joint_; }
    std::uint64_t all() const { return all_; }
    const Table& weak() const { return weak_; }
    const Table& strong() const { return strong_; }

private:
    HistoryVerdicts(JointAutomaton joint, const std::vector<Automaton>& automata, const std::vector<VerdictBits>& bits,
                    int threads);
    std::uint64_t judge_component(const Lts& lts, int component, std::uint64_t already);
    States recurrent_by(const Lts& lts, int component, ThreadSet stepping);
    States closed_under(const Lts& lts, int component, ThreadSet fair);

    JointAutomaton joint_;
    std::uint64_t all_ = 0;
    Table single_, weak_, strong_;
    ReachedWith reached_;

    Components inner_;
    std::vector<int> place_;
    std::vector<char> is_in_;
};

}  // namespace synth
