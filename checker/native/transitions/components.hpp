// Strongly connected components by Tarjan's algorithm (SIAM J. Comput. 1, 1972), without recursion.
//
// Components are numbered in the order in which they are finished, so an edge between two of them goes from the higher
// number to the lower. Thus the falling numbers are a topological order from the start.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "work/work.hpp"

namespace synth {

// A cursor is where somebody is in the edges of a node.
template <class Cursor>
class ComponentsByCursor {
public:
    static constexpr int ignored = -1;
    static constexpr int no_more = -2;

    // Find the components of the nodes 0 ... nodes-1. `first(node)` is a cursor before the edges of a node.
    // `next(node, cursor)` moves it behind the next edge, and returns the node to which this edge leads, `ignored` if the
    // edge does not count, or `no_more`.
    template <class First, class Next>
    void find(int nodes, First first, Next next) {
        const auto count = static_cast<std::size_t>(nodes);
        if (first_.size() <= count) {
            for (auto* scratch : {&number_, &component_, &members_, &stack_}) scratch->resize(count);
            first_.resize(count + 1);
        }
        std::fill_n(number_.begin(), count, 0);
        std::fill_n(component_.begin(), count, -1);
        int* const number = number_.data();  // in order of first visit, from 1; 0: not visited
        int* const component = component_.data();
        int* const stack = stack_.data();
        int visited = 0, stacked = 0, finished = 0;
        count_ = 0;
        first_[0] = 0;
        for (int root = 0; root < nodes; ++root) {
            if (number[root] != 0) continue;
            std::size_t depth = 0;
            int node = root;
            Cursor cursor = first(root);
            int lowest = number[root] = ++visited;
            stack[stacked++] = root;
            for (;;) {
                if (const int to = next(node, cursor); to != no_more) {
                    if (to < 0) continue;
                    if (number[to] == 0) {
                        if (depth == calls_.size()) calls_.resize(2 * depth + 16);
                        calls_[depth++] = {node, lowest, cursor};
                        node = to;
                        cursor = first(to);
                        lowest = number[to] = ++visited;
                        stack[stacked++] = to;
                        if (visited % some_nodes == 0) worked(some_nodes);
                    } else if (component[to] < 0) {
                        lowest = std::min(lowest, number[to]);
                    }
                    continue;
                }
                if (lowest == number[node]) {
                    int member;
                    do {
                        member = stack[--stacked];
                        component[member] = count_;
                        members_[index(finished++)] = member;
                    } while (member != node);
                    first_[index(++count_)] = finished;
                }
                if (depth == 0) break;
                const Call& caller = calls_[--depth];
                lowest = std::min(lowest, caller.lowest);
                node = caller.node;
                cursor = caller.cursor;
            }
        }
    }

    int count() const { return count_; }
    int of(int node) const { return component_[index(node)]; }
    std::span<const int> members(int component) const {
        return std::span(members_).subspan(index(first_[index(component)]),
                                           index(first_[index(component) + 1] - first_[index(component)]));
    }

private:
    struct Call {
        int node;
        int lowest;  // number that it can come back to
        Cursor cursor;
    };

    static constexpr int some_nodes = 1 << 12;

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    int count_ = 0;
    // Scratch, kept from graph to graph: as long as the largest so far.
    std::vector<int> number_, component_, members_, first_, stack_;
    std::vector<Call> calls_;
};

// The components of a graph whose edges have labels.
class Components : public ComponentsByCursor<std::uint32_t> {
public:
    // `labels(node)` is the set of labels, below 32, that the edges of a node have; `successor(node, label)` is a node,
    // or `ignored`.
    template <class Labels, class Successor>
    void find(int nodes, Labels labels, Successor successor) {
        ComponentsByCursor::find(nodes, labels, [&successor](int node, std::uint32_t& left) {
            if (left == 0) return no_more;
            const int label = std::countr_zero(left);
            left &= left - 1;
            return successor(node, label);
        });
    }
};

}  // namespace synth
