// A transition system of at most 64 states, by sets of them. A set is a word with a bit for each state.
//
// Its states have numbers so that each step of a thread, from some of them, adds the same to the number. So a set takes the
// step by a mask and a rotation. It can be made from a program (program/set_exploration.hpp). `Lts` is the graph of it.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "transitions/lts.hpp"
#include "transitions/orders.hpp"

namespace synth {

using StateSet = std::uint64_t;

// A step that adds the same to the numbers of some states, which is not 0.
struct SetEdge {
    StateSet from;
    std::uint8_t rotation;
    std::uint8_t thread;
    bool ends;     // the thread
    bool goes_on;  // to states without a way back by steps that go on

    // What the states of a set become, and which states become some of a set.
    StateSet after(StateSet set) const { return std::rotl(set & from, rotation); }
    StateSet before(StateSet set) const { return std::rotr(set, rotation) & from; }
};

struct SetLts {
    static constexpr std::size_t max_states = 64, max_threads = Orders::max_threads, max_edges = 16;

    std::span<const SetEdge> edges() const { return std::span(edge).first(edge_count); }

    int threads = 0;
    StateSet reached = 0;  // from state 0
    StateSet cyclic = 0;   // reached states, those on cycles of several states among them; 0 if there is no such cycle
    std::array<StateSet, max_threads> loops{};  // the states that a step of a thread leaves as they are
    std::array<StateSet, std::size_t{1} << max_threads> with_live{};  // the states in which exactly these threads are live
    std::array<SetEdge, max_edges> edge{};
    std::size_t edge_count = 0;
};

}  // namespace synth
