// What a shape fixes before anything is decided: the place of each instruction, and the numbers of states.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "search/decision.hpp"

namespace synth {

using ValueSet = std::uint32_t;

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A state is the mixed-radix number of
// (memory, pcs), location 0 the lowest digit, then thread 0.
struct Layout {
    struct Place {
        int thread, pc, loc;
        int end;         // the thread's number of instructions
        int loc_stride;  // of the location's value in a state's number
        int pc_stride;   // of the thread's pc
    };

    Layout(const Shape& shape, int value_count) : values(value_count) {
        for (const auto& thread : shape) {
            for (const int loc : thread) locations = std::max(locations, loc + 1);
        }
        for (int loc = 0; loc < locations; ++loc) states *= values;
        int thread = 0;
        for (const auto& locs : shape) {
            const int size = static_cast<int>(locs.size());
            for (int pc = 0; pc < size; ++pc) {
                int loc_stride = 1;
                for (int k = 0; k < locs[at(pc)]; ++k) loc_stride *= values;
                places.push_back({thread, pc, locs[at(pc)], size, loc_stride, states});
            }
            states *= size + 1;
            ++thread;
        }
    }

    int size() const { return static_cast<int>(places.size()); }
    ValueSet all_values() const { return (ValueSet{1} << values) - 1; }

    int values;
    int locations = 0;
    int states = 1;
    std::vector<Place> places;
};

}  // namespace synth
