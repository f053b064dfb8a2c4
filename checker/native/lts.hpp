// The LTS of a program: its reachable states, one edge per live thread (definitions, section 1).
//
// States are numbered breadth-first from the start, which is 0. Where (memory, pcs) as a mixed-radix number is small, a
// successor is that number plus a difference that depends on instruction and memory only, and a table maps it to the
// state, so nothing is hashed; larger programs go through a hash map. What the rules ask of an instruction (was it
// executed, taken, not taken, did it change the memory) is noted on the way.
#pragma once

#include <cstdint>
#include <vector>

#include "program.hpp"

namespace synth {

using ThreadSet = std::uint32_t;

enum Observation : std::uint8_t { taken = 1, not_taken = 2, changed_memory = 4 };

class Lts {
public:
    static constexpr int max_threads = 32;
    static constexpr int max_states = 1 << 22;

    // Explore a program; keeps its memory from one program to the next.
    // Throws LimitFault where there are more than max_threads threads or max_states reachable states.
    void explore(const Program& program);

    int states() const { return states_; }
    int threads() const { return threads_; }
    ThreadSet live(int state) const { return live_[static_cast<std::size_t>(state)]; }
    // The successor by a step of a thread, or -1 where it has terminated.
    int successor(int state, int thread) const { return successors_[static_cast<std::size_t>(state * threads_ + thread)]; }
    // Which observations were made of an instruction, by its place in the program. 0: it is never executed.
    std::uint8_t observed(int place) const { return observed_[static_cast<std::size_t>(place)]; }

private:
    void explore_by_index(const Program& program, int memories, int locations, int values);
    void explore_by_hash(const Program& program, int locations);

    // The value of each location in each memory, tabled since a batch asks for the same few over and over.
    void table_values(int memories, int locations, int values);

    int threads_ = 0;
    int states_ = 0;
    std::vector<ThreadSet> live_;  // live_ and successors_ may be longer than the program at hand needs
    std::vector<int> successors_;
    std::vector<std::uint8_t> observed_;

    // Scratch of explore_by_index, kept from program to program.
    struct LocalEdge {
        std::int32_t difference;  // of the mixed-radix number
        std::int16_t memory;      // after the step
        std::int8_t pc;           // after the step
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
    std::vector<LocalEdge> edges_;
    std::vector<Place> places_;
    std::vector<std::int16_t> state_of_index_;
};

}  // namespace synth
