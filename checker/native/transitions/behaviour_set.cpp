#include "transitions/behaviour_set.hpp"

#include <utility>

namespace synth {

namespace {

// The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014), with
// its own constants: each bit of the word changes each bit of the result for about half of all words.
std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
    word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

}  // namespace

BehaviourHash hash_of(std::span<const std::uint32_t> form) {
    BehaviourHash hash{form.size(), ~std::uint64_t{form.size()}};
    for (const std::uint32_t word : form) {
        hash.low = mixed(hash.low + 0x9e3779b97f4a7c15 + word);
        hash.high = mixed(hash.high ^ (std::uint64_t{word} << 32 | word)) + hash.low;
    }
    if (hash == BehaviourHash{0, 0}) hash.low = 1;  // which stands for a free slot
    return hash;
}

bool BehaviourSet::insert(BehaviourHash hash) {
    if (4 * (size_ + 1) > 3 * slots_.size()) {
        const std::vector<BehaviourHash> old = std::exchange(slots_, std::vector<BehaviourHash>(2 * slots_.size()));
        for (const BehaviourHash& one : old) {
            if (one != BehaviourHash{0, 0}) slots_[place_of(one)] = one;
        }
    }
    BehaviourHash& slot = slots_[place_of(hash)];
    if (slot == hash) return false;
    slot = hash;
    ++size_;
    return true;
}

// Where it stands, or would.
std::size_t BehaviourSet::place_of(BehaviourHash hash) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = hash.low & mask;
    while (slots_[place] != BehaviourHash{0, 0} && slots_[place] != hash) place = (place + 1) & mask;
    return place;
}

}  // namespace synth
