// Sets of accesses to elements of memory, each with a number. The empty set has the number 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_map>
#include <vector>

#include "launches/pool.hpp"

namespace synth {

class TouchedSets {
public:
    // An access is twice the number of an element, plus 1 if it writes.
    using Set = std::vector<Number>;

    TouchedSets() : asked_(kept) { sets_.number({}); }

    // Return the number of a set whose members are sorted.
    Number number(const Set& set) { return sets_.number(set); }

    // Whether two sets have accesses to the same element, of which one writes.
    bool conflict(Number one, Number other) {
        if (one == 0 || other == 0) return false;
        Asked& asked = asked_[(one * std::size_t{0x9E3779B1U} + other) % kept];
        if (asked.one != one || asked.other != other) asked = {one, other, !common(one, other).empty()};
        return asked.conflict;
    }
    // The elements for which two sets conflict.
    std::vector<Number> common(Number one, Number other) const {
        std::vector<Number> found;
        for (const Number access : sets_[one]) {
            const Number element = access / 2;
            const auto same = std::ranges::lower_bound(sets_[other], 2 * element);
            for (auto it = same; it != sets_[other].end() && *it / 2 == element; ++it) {
                if (((access | *it) & 1) != 0) found.push_back(element);
            }
        }
        return found;
    }
    Number together(Number one, Number other) {
        if (one == 0 || one == other) return other;
        if (other == 0) return one;
        const auto [found, is_new] = unions_.try_emplace(std::uint64_t{one} << 32 | other, 0);
        if (is_new) {
            Set both;
            std::ranges::set_union(sets_[one], sets_[other], std::back_inserter(both));
            found->second = number(both);
        }
        return found->second;
    }

private:
    struct Asked {
        Number one = 0, other = 0;
        bool conflict = false;
    };
    static constexpr std::size_t kept = std::size_t{1} << 12;

    Pool<Rows> sets_;
    std::vector<Asked> asked_;
    std::unordered_map<std::uint64_t, Number> unions_;
};

}  // namespace synth
