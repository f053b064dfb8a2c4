#include "minimality/signature_sets.hpp"

#include <algorithm>
#include <utility>

namespace synth {

SignatureSets::SignatureSets() { numbered({}); }

SignatureSets::Set SignatureSets::numbered(const Members& members) {
    const auto [found, is_new] = number_of_.try_emplace(members, static_cast<Set>(members_.size()));
    if (is_new) members_.push_back(members);
    return found->second;
}

SignatureSets::Set SignatureSets::only(std::uint64_t signature) {
    const std::size_t bit = bit_of_.try_emplace(signature, bit_of_.size()).first->second;
    Members members(bit / bits + 1);
    members.back() = std::uint64_t{1} << bit % bits;
    return numbered(members);
}

SignatureSets::Set SignatureSets::unite(Set one, Set other) {
    if (one == other || other == none) return one;
    if (one == none) return other;
    if (one > other) std::swap(one, other);
    Union& last = unions_[(one * std::size_t{31} + other) % remembered];
    if (last.one != one || last.other != other) {
        Members members = members_[one];
        const Members& more = members_[other];
        members.resize(std::max(members.size(), more.size()));
        for (std::size_t word = 0; word < more.size(); ++word) members[word] |= more[word];
        last = {one, other, numbered(members)};
    }
    return last.both;
}

bool SignatureSets::contains(Set set, std::uint64_t signature) const {
    const auto found = bit_of_.find(signature);
    if (found == bit_of_.end()) return false;
    const std::size_t word = found->second / bits;
    return word < members_[set].size() && (members_[set][word] >> found->second % bits & 1) != 0;
}

}  // namespace synth
