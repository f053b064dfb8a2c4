// What follows from what is found in memory: trees that ask for one place after the other, and end in a leaf.
//
// A node names a place that is read next, with a branch for each value that was found there. A leaf is a number. The
// caller keeps the roots. It also makes sure that the places that are read, and their order, follow from the values found.
#pragma once

#include <cstdint>
#include <stdexcept>
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
                branch(key(last, value_there), next);
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
        keys_.assign(first_slots, no_key);
        nexts_.assign(first_slots, no_number);
        branches_ = 0;
    }

private:
    // The value found first has its branch here. The others are in a table, in the slot that follows from the node and the
    // value, or in one behind it.
    struct Node {
        Number place, value, next;
    };
    static constexpr Number leaf_bit = Number{1} << 31;
    static constexpr std::size_t first_slots = 64;
    static constexpr std::uint64_t no_key = UINT64_MAX;

    static bool is_leaf(Number node) { return (node & leaf_bit) != 0; }
    static std::uint64_t key(Number node, Number value) { return std::uint64_t{node} << 32 | value; }
    Number other_branch(Number node, Number value) const {
        return nexts_[slot_of(key(node, value))];
    }
    std::size_t slot_of(std::uint64_t key) const {
        std::size_t slot = key * 0x9E3779B97F4A7C15U >> 32 & (keys_.size() - 1);
        while (keys_[slot] != no_key && keys_[slot] != key) slot = (slot + 1) & (keys_.size() - 1);
        return slot;
    }
    void branch(std::uint64_t key, Number next) {
        if (2 * branches_ >= keys_.size()) {
            const std::vector<std::uint64_t> keys = std::exchange(keys_, std::vector(2 * keys_.size(), no_key));
            const std::vector<Number> nexts = std::exchange(nexts_, std::vector(keys_.size(), no_number));
            for (std::size_t i = 0; i < keys.size(); ++i) {
                if (keys[i] == no_key) continue;
                const std::size_t slot = slot_of(keys[i]);
                keys_[slot] = keys[i];
                nexts_[slot] = nexts[i];
            }
        }
        const std::size_t slot = slot_of(key);
        branches_ += keys_[slot] == no_key ? 1 : 0;
        keys_[slot] = key;
        nexts_[slot] = next;
    }

    std::vector<Node> nodes_;
    std::vector<std::uint64_t> keys_ = std::vector(first_slots, no_key);
    std::vector<Number> nexts_ = std::vector(first_slots, no_number);
    std::size_t branches_ = 0;
};

}  // namespace synth
