// Sets of states as machine words. A mask and a rotation follow an edge from all states of a set at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace synth {

// A set of up to 64 * Words states, numbered from 0.
template <int Words>
class StateSet {
    static constexpr std::size_t words = Words;
    static constexpr unsigned word_bits = 64;

public:
    static constexpr unsigned room = Words * word_bits;

    void add(unsigned state) { word_[state / word_bits] |= std::uint64_t{1} << (state % word_bits); }

    bool empty() const {
        std::uint64_t any = 0;
        for (const std::uint64_t word : word_) any |= word;
        return any == 0;
    }
    bool meets(const StateSet& other) const { return !(*this & other).empty(); }

    StateSet& operator|=(const StateSet& other) {
        for (std::size_t w = 0; w < words; ++w) word_[w] |= other.word_[w];
        return *this;
    }
    StateSet& operator&=(const StateSet& other) {
        for (std::size_t w = 0; w < words; ++w) word_[w] &= other.word_[w];
        return *this;
    }
    friend StateSet operator|(StateSet a, const StateSet& b) { return a |= b; }
    friend StateSet operator&(StateSet a, const StateSet& b) { return a &= b; }
    friend bool operator==(const StateSet&, const StateSet&) = default;

    // Return the states whose numbers are greater by `shift`, modulo the room. Rotating by room - shift undoes it.
    StateSet rotated(unsigned shift) const {
        StateSet to;
        if constexpr (Words == 1) {
            to.word_[0] = std::rotl(word_[0], static_cast<int>(shift));
        } else {
            // Whole words in stages, by one, by two, by four ..., so that no index depends on the shift; then bits.
            static_assert(std::has_single_bit(words), "stages are powers of two");
            std::array<std::uint64_t, words> from = word_;
            for (std::size_t stage = 1; stage < words; stage *= 2) {
                const std::array<std::uint64_t, words> last = from;
                const bool moves = (shift / word_bits & stage) != 0;
                for (std::size_t w = 0; w < words; ++w) from[w] = last[moves ? (w - stage) % words : w];
            }
            const unsigned bits = shift % word_bits;
            for (std::size_t w = 0; w < words; ++w) {
                const std::uint64_t high = from[(w - 1) % words];
                to.word_[w] = (from[w] << bits) | ((high >> 1) >> (word_bits - 1 - bits));
            }
        }
        return to;
    }

private:
    std::array<std::uint64_t, words> word_{};
};

}  // namespace synth
