// The behaviour of a transition system: its LTS as a minimised deterministic automaton (definitions, section 6).
//
// States are divided into classes round by round: first by their live sets, then by the classes to which their steps lead
// (Moore, "Gedanken-experiments on sequential machines", 1956), until a round finds no new class. Few steps are enough to
// distinguish two states of a program, so Hopcroft's algorithm would not be faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "transitions/lts.hpp"
#include "transitions/orders.hpp"

namespace synth {

class Behaviour {
public:
    // Return the canonical form: the number of threads, the number of states, and for each state its live set and its
    // successor by each live thread, by rising thread id. States are numbered breadth-first from the start. Two systems
    // have the same form exactly if they are behaviour-equivalent.
    const std::vector<std::uint32_t>& of(const Lts& lts);

    // The same in two steps: find the classes of a system's states, then write the form of this system with its threads in
    // an order. Place p has thread order[p].
    void find_classes(const Lts& lts);
    const std::vector<std::uint32_t>& in_order(const Lts& lts, const Orders::Order& order);

private:
    int classes_by_rows(const Lts& lts);
    template <class Step>
    void write(const Lts& lts, Step step);

    std::vector<int> class_;  // of a state
    std::vector<int> rows_;   // per state: its class, or at first its live set; then the class each step leads to, or -1
    std::vector<int> first_;  // of a class: the state that it was found with
    std::vector<int> slots_;  // of a hash table of classes by their rows; -1 where it is free
    std::vector<std::uint32_t> form_;

    // Scratch of the numbering.
    std::vector<int> number_;  // of a class
    std::vector<int> order_;   // the first state of each class, by number
};

}  // namespace synth
