// What follows from what is found in memory: trees that ask for one place after the other, and end in a leaf.
//
// A node names a place that is read next, with a branch for each value that was found there. A leaf is a number. The
// caller keeps the roots. It also makes sure that the places that are read, and their order, follow from the values found.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

#include "launches/pool.hpp"

namespace synth {

class DecisionTrees {
public:
    // A place and the value that was found there.
    using Found = std::vector<std::pair<Number, Number>>;

    // Return the leaf, or `no_number` if it is not known. `held` gives the value at a place now.
    template <class Held>
    Number find(Number node, Held held) const {
        while (node != no_number && !is_leaf(node)) {
            const Node& here = nodes_[node];
            const Number value = held(here.place);
            node = value == here.value ? here.next : other_branch(node, value);
        }
        return node == no_number ? no_number : node & ~leaf_bit;
    }

    // Add a leaf to the tree of a root. The places are in the order in which they are read.
    void insert(Number& root, const Found& found, Number leaf) {
        Number last = no_number, value_there = 0;  // where the next branch begins
        Number node = root;
        const auto lead_to = [&](Number next) {
            if (last == no_number) {
                root = next;
            } else if (nodes_[last].next == no_number) {
                nodes_[last].value = value_there;
                nodes_[last].next = next;
            } else {
                branches_[key(last, value_there)] = next;
            }
        };
        for (const auto& [place, value] : found) {
            if (node == no_number) {
                node = static_cast<Number>(nodes_.size());
                lead_to(node);
                nodes_.push_back({place, 0, no_number});
            } else if (is_leaf(node) || nodes_[node].place != place) {
                throw std::logic_error("a step reads other places than before");
            }
            last = node;
            value_there = value;
            if (nodes_[node].next == no_number) {
                node = no_number;
            } else {
                node = nodes_[node].value == value ? nodes_[node].next : other_branch(node, value);
            }
        }
        lead_to(leaf | leaf_bit);
    }

    void clear() {
        nodes_.clear();
        branches_.clear();
    }

private:
    // The value found first has its branch here, the others are in `branches_`.
    struct Node {
        Number place, value, next;
    };
    static constexpr Number leaf_bit = Number{1} << 31;

    static bool is_leaf(Number node) { return (node & leaf_bit) != 0; }
    static std::uint64_t key(Number node, Number value) { return std::uint64_t{node} << 32 | value; }
    Number other_branch(Number node, Number value) const {
        const auto found = branches_.find(key(node, value));
        return found == branches_.end() ? no_number : found->second;
    }

    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, Number> branches_;
};

}  // namespace synth
