// Verdicts under any automaton, by its product with the program's LTS (definitions, section 5, to the letter).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "automaton.hpp"
#include "components.hpp"
#include "lts.hpp"

namespace synth {

class ProductVerdicts {
public:
    ProductVerdicts(Automaton automaton, VerdictBits bits);

    // The bits of the verdicts that a program fails. Throws LimitFault where the product is too large.
    std::uint64_t fails(const Lts& lts);

private:
    void build(const Lts& lts);
    bool fails_weakly(std::span<const int> component) const;
    bool holds_closed_set(std::vector<int> states);

    int states() const { return static_cast<int>(fair_.size()); }
    int successor(int state, int thread) const {
        return successors_[static_cast<std::size_t>(state * automaton_.threads + thread)];
    }

    Automaton automaton_;
    VerdictBits bits_;
    // The automaton's tables laid out flat.
    std::vector<int> next_;        // [q][thread][ends]
    std::vector<ThreadSet> sets_;  // [q][live]

    // The reachable product, breadth-first.
    std::vector<int> number_;  // of (program state, q)
    std::vector<int> pairs_;   // program state * automaton states + q
    std::vector<int> successors_;
    std::vector<ThreadSet> fair_;
    Components components_;
    std::vector<char> is_in_;
};

}  // namespace synth
