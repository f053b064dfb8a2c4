// A set of tens of millions of behaviours: a hash of 128 bits for each, and at most three of four slots used.
//
// It uses open addressing with linear probing (Knuth, The Art of Computer Programming 3, section 6.4). Two behaviours with
// the same hash would count as one. With a billion behaviours this happens, by the birthday bound, once in 10^20 runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace synth {

struct BehaviourHash {
    std::uint64_t low, high;
    bool operator==(const BehaviourHash&) const = default;
};

// Return the hash of a canonical form, as `Behaviour::of` returns it.
BehaviourHash hash_of(std::span<const std::uint32_t> form);

class BehaviourSet {
public:
    BehaviourSet() : slots_(std::size_t{1} << 10) {}

    // Add a hash, and return whether it was missing.
    bool insert(BehaviourHash hash);

    std::size_t size() const { return size_; }

private:
    std::size_t place_of(BehaviourHash hash) const;

    std::vector<BehaviourHash> slots_;  // all zeros where it is free
    std::size_t size_ = 0;
};

}  // namespace synth
