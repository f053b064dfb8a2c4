// The tables of a shape for the search in lanes (lanes.hpp): where edges lead, and all ways to decide each of them.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "program/program.hpp"
#include "search/decision.hpp"
#include "search/lanes.hpp"

namespace synth::lanes {

// One partial program, its reached states left out.
struct Partial {
    Word shifts[shift_words] = {};
    Word code = 0;
    Word masks = 0;
};

class ShapeTables {
public:
    // Whether there are tables for a shape with two values: it has few enough instructions and states.
    static bool has_room_for(const Shape& shape);

    explicit ShapeTables(const Shape& shape);
    ShapeTables(const ShapeTables&) = delete;

    const Tables& tables() const { return tables_; }
    std::size_t most_ways() const { return most_ways_; }

    // What several decisions, one after the other, leave open.
    Partial after(const std::vector<Decision>& decisions) const;

    // The bytes of codes are below this.
    static constexpr Word codes = seen_falling_through + 1 + 2 + 3 * 2 * (max_instructions + 1);

    // The instruction that a byte of the code of a whole program stands for.
    Instruction instruction(int place, Word code) const;

private:
    struct Place {
        int thread, pc, loc, end, pc_stride;
        int split;       // the bit of a word's number that its location is, or 0
        int loc_stride;  // else
    };
    struct Way {
        Word shifts, code, masks;
    };
    struct Columns {
        std::vector<Word> shifts, code, masks;
    };

    void place_instructions(const Shape& shape);
    void find_sources();
    void list_ways(int edge);
    bool spins(int edge, const Option& option) const;
    Way way(int edge, Word known, const Option& option) const;

    Tables tables_{};
    std::vector<Place> places_;
    int states_ = 1;  // of a word
    std::array<std::array<Columns, choices>, max_edges> columns_;
    std::size_t most_ways_ = 0;
};

}  // namespace synth::lanes
