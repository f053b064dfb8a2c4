// Verdicts under any automaton, from its product with the system's LTS (exactly as in the definitions, section 5).
//
// A recurrent set of the product lies over one strongly connected component of the LTS, so only the parts of the product
// over components with a cycle are built, one at a time.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "transitions/lts.hpp"
#include "verdicts/automaton.hpp"
#include "verdicts/product_part.hpp"
#include "verdicts/reached_with.hpp"

namespace synth {

class ProductVerdicts {
public:
    ProductVerdicts(Automaton automaton, VerdictBits bits);

    // Return the bits of the verdicts that a system fails. Throws LimitFault if the product is too large.
    std::uint64_t fails(const Lts& lts);

    // For each set of live threads of some state, the bits of the verdicts whose promise allows that just these stay live
    // for ever: in a recurrent set by which the form fails, or in a state with an empty fair set, where all may rest.
    // Throws LimitFault if the product is too large.
    std::map<ThreadSet, std::uint64_t> explained(const Lts& lts);

private:
    void prepare(const Lts& lts);
    void reach(const Lts& lts);
    bool may_rest(const Lts& lts, int component) const;
    std::uint64_t bits_of(const Failures& failures) const {
        return (failures.weak ? bits_.weak : 0) | (failures.strong ? bits_.strong : 0);
    }
    bool is_reached(int state, int q) const;
    void build_over(const Lts& lts, int component);

    Automaton automaton_;
    VerdictBits bits_;
    std::optional<ReachedWith> sets_;  // if the automaton has few enough states
    std::vector<char> reached_;        // otherwise, a flag for each pair of states

    // The part over one component: its nodes are pairs of a system's state and an automaton state.
    struct Node {
        int state;
        int q;
    };
    std::vector<Node> nodes_;
    std::vector<int> number_;      // of (place of the state in its component, q)
    std::vector<int> place_;       // of a system's state in its component
    ProductPart part_;
};

}  // namespace synth
