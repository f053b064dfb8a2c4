// Unit propagation over clauses that are added and removed. It is what a proof of RUP steps needs.
//
// If all literals of a clause except one are false, the clause makes that one true. If all are false, there is a
// contradiction. A clause *follows by unit propagation* (RUP, reverse unit propagation; Goldberg and Novikov, DATE 2003) if
// making its literals false leads to a contradiction. Each clause has two watched literals (Moskewicz et al., DAC 2001). It
// is looked at only when one of them becomes false while another literal, stored beside it, is not true (Chu, Harwood and
// Stuckey, JSAT 2009).
//
// Why an answer can be trusted: all clauses and true literals in this object are implied by the clauses that were added. A
// literal that a clause has made true stays true when that clause is removed, because it is still implied. So a removal
// adds nothing, and `refuted` says that the clauses added so far, removed or not, are unsatisfiable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace synth {

// Twice the number of its variable, and 1 more for its negation.
using Literal = std::uint32_t;

inline Literal negation(Literal literal) { return literal ^ 1; }

// In rising order, no literal twice and none together with its negation; fewer than 2^31 literals.
using Clause = std::vector<Literal>;

class UnitPropagation {
public:
    // An exception of `worked` (work.hpp) may end this function and `implies`. Then the object must not be used any more,
    // because some literals are true that do not follow.
    void add(const Clause& clause);

    // Remove one clause that equals this one; do nothing if there is none. Clauses that are always true are not kept.
    void remove(const Clause& clause);

    // Whether a clause follows by unit propagation.
    bool implies(const Clause& clause);

    // Whether the clauses contradict each other by unit propagation alone.
    bool refuted() const { return refuted_; }

private:
    // Where a clause begins in `kept_`: its length, and behind it its literals, the watched ones first.
    using Place = std::uint64_t;

    // A clause that watches a literal, and another of its literals. While that other literal is true, so is the clause.
    struct Watch {
        Place place;
        Literal other;
    };

    bool is_true(Literal literal) const { return values_[literal] > 0; }
    bool is_false(Literal literal) const { return values_[literal] < 0; }
    void assign(Literal literal);
    bool propagate();
    void make_room(const Clause& clause);
    void watch(Place place);
    void drop_removed();
    std::span<Literal> literals_at(Place place) { return {&kept_[place + 1], length_at(place)}; }
    std::size_t length_at(Place place) const { return kept_[place] & ~removed; }
    bool is_removed(Place place) const { return (kept_[place] & removed) != 0; }

    static constexpr std::uint32_t removed = std::uint32_t{1} << 31;  // a bit of the length

    bool refuted_ = false;
    std::vector<std::int8_t> values_;          // by literal: 1 true, -1 false, 0 neither
    std::vector<Literal> trail_;               // what is true, in the order in which it became so
    std::size_t propagated_ = 0;               // of the trail
    std::vector<std::uint32_t> kept_;          // the clauses, one behind the other
    std::size_t wasted_ = 0;                   // of these, by removed clauses
    std::vector<std::vector<Watch>> watches_;  // by literal: the clauses that watch it
    std::unordered_multimap<std::uint64_t, Place> places_;  // by the hash of a clause
    Clause scratch_;
};

}  // namespace synth
