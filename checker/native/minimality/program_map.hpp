// A map from programs in normal form to numbers, for tens of millions of them: 16 bytes a slot, up to three in
// four slots used.
//
// A program of at most 8 instructions, 4 locations and 4 values is packed into 96 bits, 12 an instruction, and stands with
// its number in a table with open addressing and linear probing (Knuth, The Art of Computer Programming 3, section 6.4).
// Others go by their id into a hash map of the library, of which there are at most `max_unpacked`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "program/program.hpp"

namespace synth {

class ProgramMap {
public:
    using Number = std::uint32_t;
    static constexpr Number missing = ~Number{0};
    static constexpr std::size_t max_unpacked = std::size_t{1} << 21;

    ProgramMap();

    // The number of a program, or `missing`.
    Number find(const Program& program) const;

    // Give a program that is missing its number. Throws LimitFault beyond max_unpacked large programs.
    void insert(const Program& program, Number number);

    std::size_t size() const { return packed_ + unpacked_.size(); }
    std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

    std::size_t unpacked() const { return unpacked_.size(); }
    // Forget all large programs.
    void forget_unpacked() { unpacked_.clear(); }

private:
    // No instruction's bits are all 0, so a slot with low == 0 is free.
    struct Slot {
        std::uint64_t low;
        std::uint32_t high;
        Number number;
    };

    static bool pack(const Program& program, Slot& slot);
    std::size_t place_of(const Slot& key) const;
    void grow();

    std::vector<Slot> slots_;
    std::size_t packed_ = 0;
    std::unordered_map<std::string, Number> unpacked_;
};

}  // namespace synth
