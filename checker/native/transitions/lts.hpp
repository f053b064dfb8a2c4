// The LTS of a program: its reachable states, one edge per live thread (definitions, section 1), and where it has cycles.
//
// One depth-first search finds the states, numbers them in the order of discovery, and takes them apart into strongly
// connected components (Tarjan, SIAM J. Comput. 1, 1972; the order of discovery is the number his algorithm wants). Where
// (memory, pcs) as a mixed-radix number is small, a successor is that number plus a difference that depends on
// instruction and memory only, and a table maps it to the state, so nothing is hashed; larger programs go through a hash
// map. What the rules ask of an instruction is noted on the way.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "program/program.hpp"

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
    ThreadSet live(int state) const { return live_[at(state)]; }
    // The successor by a step of a live thread.
    int successor(int state, int thread) const { return successors_[at(state * threads_ + thread)]; }
    // The successors of a state, one a thread; what stands there for a terminated thread means nothing.
    const int* successors(int state) const { return successors_.data() + state * threads_; }
    // Which observations were made of an instruction, by its place in the program. 0: it is never executed.
    std::uint8_t observed(int place) const { return observed_[at(place)]; }

    // The components: an edge between two of them goes from the higher number to the lower. In each the live set is
    // constant, since a terminated thread stays so.
    int components() const { return components_; }
    int component(int state) const { return component_[at(state)]; }
    std::span<const int> members(int component) const {
        return std::span(members_).subspan(at(first_[at(component)]), at(first_[at(component) + 1] - first_[at(component)]));
    }
    // The threads whose step from a state stays in its component; in a component of one state, its self-loops.
    ThreadSet inside(int state) const { return inside_[at(state)]; }
    // The components that have an edge inside: most have none.
    const std::vector<int>& cyclic() const { return cyclic_; }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    void explore_by_index(const Program& program, int memories, int locations, int values);
    void explore_by_hash(const Program& program, int locations);
    void table_values(int memories, int locations, int values);
    void make_room(int states);
    template <class Step>
    void search(Step step);
    void finish_component(int root, int& stacked);

    int threads_ = 0;
    int states_ = 0;
    int components_ = 0;
    int room_ = 0;  // the vectors over states are as long as the largest program so far needs
    std::vector<ThreadSet> live_;
    std::vector<int> successors_;
    std::vector<std::uint8_t> observed_;
    std::vector<int> component_;
    std::vector<int> members_;
    std::vector<int> first_;
    std::vector<ThreadSet> inside_;
    std::vector<int> cyclic_;

    // Scratch of the search.
    struct Call {
        int state;
        int lowest;  // the lowest state that it comes back to
        ThreadSet left;
    };
    std::vector<Call> calls_;
    std::vector<int> stack_;

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
