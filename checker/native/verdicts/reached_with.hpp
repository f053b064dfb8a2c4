// The reachable part of a product, as a bit mask for each state of the system: the automaton states that go with it.
#pragma once

#include <cstdint>
#include <vector>

#include "transitions/lts.hpp"

namespace synth {

class ReachedWith {
public:
    using States = std::uint64_t;  // a set of automaton states
    static constexpr int max_states = 64;

    // For the tables of an automaton, or of several side by side, with at most max_states states.
    ReachedWith(const std::vector<std::vector<int>>& steps, const std::vector<std::vector<int>>& ends, int threads);

    // Push the automaton's start through the system's components, in the order of its edges.
    void push(const Lts& lts);

    States operator[](int state) const { return reached_[static_cast<std::size_t>(state)]; }

private:
    States after(States states, int thread, bool ends) const {
        const States* table = tables_.data() + (thread * 2 + ends) * bytes_ * byte_values;
        States found = table[states & 255];
        for (int byte = 1; byte < bytes_; ++byte) {
            states >>= 8;
            table += byte_values;
            found |= table[states & 255];
        }
        return found;
    }

    void push_inside(const Lts& lts, int component);

    static constexpr int byte_values = 256;
    int bytes_;                   // of a set of states
    std::vector<States> tables_;  // [thread][ends][byte of a set][its value]: the states after a step
    std::vector<States> reached_;
};

}  // namespace synth
