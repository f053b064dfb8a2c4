// The verdicts of a system with its threads in each order, from one pass over the system as it is.
//
// To put the threads in another order is to put those of the models in the opposite one. So each model becomes several
// automata, one for each order; many of them are equal, since most models do not tell all threads apart. Those that are
// different are judged together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "transitions/lts.hpp"
#include "transitions/orders.hpp"
#include "verdicts/automaton.hpp"
#include "verdicts/verdicts.hpp"

namespace synth {

class OrbitJudge {
public:
    // For at most Orders::max_threads threads; otherwise and but for this as `Judge`.
    OrbitJudge(int threads, const std::vector<Automaton>& automata, const std::vector<Forms>& forms);

    int threads() const { return threads_; }
    // How many bits the words have in all.
    std::uint32_t bits() const { return bits_; }

    // Which verdicts the system passes in any order, as words with a bit for each different one. Systems with equal words
    // have equal verdicts in each order. They are valid until the next call.
    const std::vector<std::uint64_t>& judge(const Lts& lts);
    const std::vector<std::uint64_t>& last() const { return words_; }

    // What makes the words, one after the other.
    const std::vector<Judge>& judges() const { return judges_; }

    // The verdicts in one order, a mask as `Judge::passes` returns it.
    std::uint64_t passes(std::span<const std::uint64_t> words, std::size_t order) const;

private:
    int threads_;
    std::uint32_t bits_ = 0;
    std::vector<Judge> judges_;  // one for each word
    std::vector<std::uint64_t> words_;
    struct Source {
        std::uint32_t word, bit;
    };
    std::vector<std::vector<Source>> sources_;  // of each verdict, by order
};

}  // namespace synth
