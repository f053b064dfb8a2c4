// The part of a product of a transition system and a model that belongs to one component of the LTS, and the forms that
// fail in it (exactly as in the definitions, section 5). Each recurrent set of the product lies in one such part.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "transitions/components.hpp"
#include "transitions/lts.hpp"

namespace synth {

// Which forms of a model a system fails.
struct Failures {
    bool weak = false;
    bool strong = false;
};

class ProductPart {
public:
    // Start again without nodes. The given threads are live in all nodes.
    void clear(int threads, ThreadSet live) {
        threads_ = threads;
        live_ = live;
        fair_.clear();
    }
    // Add a node with this fair set; returns its number.
    int add(ThreadSet fair) {
        fair_.push_back(fair);
        return static_cast<int>(fair_.size()) - 1;
    }
    int size() const { return static_cast<int>(fair_.size()); }
    // Prepare for edges, after all nodes have been added.
    void make_edges() { successors_.assign(fair_.size() * static_cast<std::size_t>(threads_), -1); }
    void connect(int node, int thread, int to) { successors_[static_cast<std::size_t>(node * threads_ + thread)] = to; }

    // Add the forms that fail in this part.
    void judge(Failures& failures);

private:
    bool fails_weakly(std::span<const int> set) const;
    bool holds_closed_set(std::span<const int> set);
    bool shrink_to_closed(std::vector<int>& set);
    void take_apart(const std::vector<int>& set);

    int successor(int node, int thread) const { return successors_[static_cast<std::size_t>(node * threads_ + thread)]; }

    int threads_ = 0;
    ThreadSet live_ = 0;
    std::vector<int> successors_;  // a row a node; -1 where a step leaves the part
    std::vector<ThreadSet> fair_;
    Components components_;

    // Scratch of holds_closed_set.
    Components inner_;
    std::vector<std::vector<int>> todo_;
    std::vector<int> place_in_set_;
    std::vector<char> is_in_;
};

}  // namespace synth
