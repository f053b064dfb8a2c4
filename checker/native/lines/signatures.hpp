// The verdicts of a list of tests as bit masks. Few masks are different, so each test takes two bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace synth {

class Signatures {
public:
    // Room for so many tests.
    explicit Signatures(std::size_t room) : room_(room) { numbers_.reserve(room); }

    // Append the masks of the next tests. Earlier masks are not moved, so they may be read meanwhile.
    // Throws InputFault if there is no room, and LimitFault if more than 65,536 masks are different.
    void append(std::span<const std::uint64_t> masks);

    std::size_t size() const { return numbers_.size(); }
    std::uint64_t operator[](std::size_t place) const { return masks_[numbers_[place]]; }

    // The different masks, numbered in the order of their first appearance, and how often each appears.
    const std::vector<std::uint64_t>& masks() const { return masks_; }
    const std::vector<std::uint64_t>& counts() const { return counts_; }
    // The number of the mask of a test.
    std::size_t number(std::size_t place) const { return numbers_[place]; }

private:
    std::size_t room_;
    std::vector<std::uint16_t> numbers_;
    std::vector<std::uint64_t> masks_, counts_;
    std::unordered_map<std::uint64_t, std::uint16_t> known_;
};

}  // namespace synth
