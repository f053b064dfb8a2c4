// Explore the transition system (LTS) of a program (definitions, section 1), and observe what its instructions do.
//
// If (memory, pcs) as a mixed-radix number is small, the number of a successor is that number plus a difference that
// depends only on instruction and memory. A table maps numbers to states, so no hashing is needed. Larger programs use a
// hash map. The search also records what the rules need to know about each instruction.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"
#include "transitions/lts.hpp"

namespace synth {

enum Observation : std::uint8_t { taken = 1, not_taken = 2, changed_memory = 4 };

class Exploration {
public:
    static constexpr int max_states = 1 << 22;

    // Return the LTS of a program. It is valid until the next program is explored, which uses its memory again.
    // Throws LimitFault if there are more than Lts::max_threads threads or max_states reachable states.
    const Lts& of(const Program& program);

    // The LTS of the last explored program.
    const Lts& lts() const { return lts_; }
    // The observations about an instruction, by its place in the program. 0 means that it is never executed.
    std::uint8_t observed(int place) const { return observed_[static_cast<std::size_t>(place)]; }

private:
    void explore_by_index(const Program& program, int memories, int locations, int values);
    void explore_by_hash(const Program& program, int locations);
    void table_values(int memories, int locations, int values);

    Lts lts_;
    std::vector<std::uint8_t> observed_;

    // Scratch of explore_by_index.
    struct LocalEdge {
        std::int32_t difference;  // of the mixed-radix number
        std::int16_t memory;      // after the step
        std::int8_t advance;      // of the pc
        std::uint8_t observation;
    };
    struct Place {
        int index;  // the mixed-radix number
        int memory;
        std::uint64_t pcs;  // a byte a thread
    };
    int tabled_locations_ = 0;
    int tabled_values_ = 0;
    std::vector<std::int8_t> value_of_;  // [location][memory]
    std::vector<LocalEdge> edges_;       // [place of the instruction][memory]
    std::vector<Place> places_;
    std::vector<std::int16_t> state_of_index_;
};

}  // namespace synth
