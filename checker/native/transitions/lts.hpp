// A finite transition system with threads, as a graph: its reachable states, one edge for each live thread (definitions,
// section 1), and its cycles. It can be made from a program (program/exploration.hpp) or a table (transitions/table.hpp).
//
// A thread is live until it terminates by a step of its own; then it stays terminated. From each state, each live thread
// has one step.
//
// One depth-first search finds the states, numbers them in the order of discovery, and divides them into strongly
// connected components (Tarjan, SIAM J. Comput. 1, 1972; his algorithm needs these numbers).
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace synth {

using ThreadSet = std::uint32_t;

class Lts {
public:
    static constexpr int max_threads = 32;

    // Search a system with at most max_threads threads from its start, state 0, in which the threads `live` are live. The
    // memory is used again for the next system.
    //
    // `step(state, thread)` returns the number of the state to which a step of a live thread leads. A new state gets the
    // next number, `states()`; before `step` returns that number, it calls `meet`.
    template <class Step>
    void search(int threads, ThreadSet live, Step step);
    // Store which threads are live in the next state, and return its number. Only `step` may call this.
    int meet(ThreadSet live) {
        if (states_ == room_) make_room(2 * room_);
        live_[at(states_)] = live;
        return states_;
    }
    // Make room for so many states at once.
    void reserve(int threads, int states) {
        threads_ = threads;
        make_room(states);
    }

    int states() const { return states_; }
    int threads() const { return threads_; }
    ThreadSet live(int state) const { return live_[at(state)]; }
    // The successor by a step of a live thread.
    int successor(int state, int thread) const { return successors_[at(state * threads_ + thread)]; }
    // The successors of a state, one for each thread. The entry of a terminated thread has no meaning.
    const int* successors(int state) const { return successors_.data() + state * threads_; }

    // The number of components. An edge between two of them goes from the higher number to the lower. In each, the live
    // set is constant, because a terminated thread stays terminated.
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

    void make_room(int states);
    void finish_component(int root, int& stacked);

    int threads_ = 0;
    int states_ = 0;
    int components_ = 0;
    int room_ = 0;  // the vectors over states are as long as the largest system so far needs
    std::vector<ThreadSet> live_;
    std::vector<int> successors_;
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
};

template <class Step>
void Lts::search(int threads, ThreadSet live, Step step) {
    constexpr int open = -1;  // the component of a state that may still be reached from itself
    threads_ = threads;
    make_room(std::max(room_, 1));  // rows of successors may have become longer
    live_[0] = live;
    components_ = 0;
    cyclic_.clear();
    first_[0] = 0;
    states_ = 1;
    int state = 0, lowest = 0, depth = 0, stacked = 0;
    ThreadSet left = live_[0];
    component_[0] = open;
    stack_[at(stacked++)] = 0;
    inside_[0] = 0;
    for (;;) {
        if (left != 0) {
            const int t = std::countr_zero(left);
            left &= left - 1;
            const int known = states_;
            const int to = step(state, t);
            successors_[at(state * threads + t)] = to;
            if (to == known) {
                ++states_;
                calls_[at(depth++)] = {state, lowest, left};
                state = lowest = to;
                left = live_[at(to)];
                component_[at(to)] = open;
                stack_[at(stacked++)] = to;
                inside_[at(to)] = 0;
            } else if (component_[at(to)] == open) {
                lowest = std::min(lowest, to);
                if (to == state) inside_[at(state)] |= ThreadSet{1} << t;
            }
            continue;
        }
        if (lowest == state) {
            if (stack_[at(stacked - 1)] == state) {  // most components are one state
                --stacked;
                component_[at(state)] = components_;
                members_[at(first_[at(components_)])] = state;
                first_[at(components_) + 1] = first_[at(components_)] + 1;
                if (inside_[at(state)] != 0) cyclic_.push_back(components_);
                ++components_;
            } else {
                finish_component(state, stacked);
            }
        }
        if (depth == 0) return;
        const Call& caller = calls_[at(--depth)];
        lowest = std::min(lowest, caller.lowest);
        state = caller.state;
        left = caller.left;
    }
}

}  // namespace synth
