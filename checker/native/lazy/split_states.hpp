// The states of a split as numbers, and sets of states that grow along steps. Refutation and completion both use this.
//
// A state is the mixed-radix number of (memory, pcs), with location 0 as the lowest digit; a memory is a number, too.
// What an instruction does in a memory is an effect, which is the next memory, and a jump, which is the next pc.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "program/program.hpp"
#include "work/faults.hpp"

namespace synth {

struct Outcome {
    int memory;
    int pc;
};

class SplitStates {
public:
    static constexpr int max_places = 64;  // places are bits of a word
    static constexpr std::int64_t max_states = 1 << 20;

    struct Place {
        int thread, pc, end;
    };
    struct Digits {
        int memory;
        std::vector<int> pcs;
    };

    // Throws LimitFault if there are more places or states than these limits.
    SplitStates(const std::vector<int>& sizes, int locations, int values);

    // Throws InputFault if a program does not belong to the split.
    void check(const Program& program) const;

    int count() const { return count_; }
    int memories() const { return memories_; }
    int locations() const { return locations_; }
    int values() const { return values_; }
    int threads() const { return static_cast<int>(sizes_.size()); }
    int size(int thread) const { return sizes_[at(thread)]; }
    const std::vector<Place>& places() const { return places_; }

    int memory(int state) const { return state % memories_; }
    // The place at which a thread is, or -1 if it has terminated.
    int place(int state, int thread) const { return place_of_[at(state * threads() + thread)]; }
    bool terminated(int state) const { return terminated_[at(state)] != 0; }
    int value(int memory, int loc) const { return memory / weights_[at(loc)] % values_; }
    // The memory after a write.
    int written(int memory, int loc, int value) const {
        return memory + (value - this->value(memory, loc)) * weights_[at(loc)];
    }
    // The state after a step of the instruction at a place.
    int after(int state, int place, const Outcome& outcome) const {
        const Place& where = places_[at(place)];
        return state + outcome.memory - memory(state) + (outcome.pc - where.pc) * strides_[at(where.thread)];
    }

    // The effect and the jump of an instruction in a memory, as in section 1 of the definitions.
    Outcome outcome(const Instruction& instruction, int pc, int memory) const {
        const int read = value(memory, instruction.loc);
        return {instruction.writes() ? written(memory, instruction.loc, instruction.exch) : memory,
                read == instruction.check ? instruction.target : pc + 1};
    }

    static std::size_t at(int index) { return static_cast<std::size_t>(index); }

private:
    std::vector<int> sizes_;
    int locations_, values_;
    int memories_ = 1;
    int count_ = 0;
    std::vector<int> weights_, strides_;
    std::vector<Place> places_;
    std::vector<int> place_of_;
    std::vector<char> terminated_;
};

// A set of states that keeps the order in which they were added.
class GrowingSet {
public:
    explicit GrowingSet(int states) : in_(static_cast<std::size_t>(states), 0) { order_.reserve(in_.size()); }

    void clear() {
        for (const int state : order_) in_[static_cast<std::size_t>(state)] = 0;
        order_.clear();
    }
    void add(int state) {
        char& in = in_[static_cast<std::size_t>(state)];
        if (in) return;
        in = 1;
        order_.push_back(state);
    }
    // Remove all states except the first `size` ones.
    void shrink(std::size_t size) {
        while (order_.size() > size) {
            in_[static_cast<std::size_t>(order_.back())] = 0;
            order_.pop_back();
        }
    }
    bool has(int state) const { return in_[static_cast<std::size_t>(state)] != 0; }
    std::size_t size() const { return order_.size(); }
    int operator[](std::size_t k) const { return order_[k]; }
    const std::vector<int>& order() const { return order_; }

private:
    std::vector<char> in_;
    std::vector<int> order_;
};

}  // namespace synth
