// A map from tens of millions of programs in normal form to numbers. A slot takes 16 bytes, and at most three of four
// slots are used.
//
// A program with at most 8 instructions, 4 locations and 4 values is packed into 96 bits, 12 for each instruction. Its slot
// is in a table with open addressing and linear probing (Knuth, The Art of Computer Programming 3, section 6.4). Larger
// programs, at most `max_unpacked` of them, are in a hash map of the standard library, by their ids.
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

    // Add a program that is missing, with its number. Throws LimitFault if there are more than max_unpacked large programs.
    void insert(const Program& program, Number number);

    std::size_t size() const { return packed_ + unpacked_.size(); }
    std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

    std::size_t unpacked() const { return unpacked_.size(); }
    // Remove all large programs.
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
