// Strongly connected components by Tarjan's algorithm (SIAM J. Comput. 1, 1972), without recursion.
//
// Components are numbered in the order in which they are finished, so an edge between two of them goes from the higher
// number to the lower: walking the numbers downwards is a topological order from the start.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

namespace synth {

class Components {
public:
    // Find the components of the nodes 0 ... nodes-1. `successor(node, k)`, for k below degree, is a node or -1.
    template <class Successor>
    void find(int nodes, int degree, Successor successor) {
        const auto count = static_cast<std::size_t>(nodes);
        if (first_.size() <= count) {
            for (auto* scratch : {&number_, &low_, &component_, &members_, &stack_}) scratch->resize(count);
            first_.resize(count + 1);
            calls_.resize(count);
        }
        std::fill_n(number_.begin(), count, 0);
        std::fill_n(component_.begin(), count, -1);
        int* const number = number_.data();  // in order of first visit, from 1; 0: not visited
        int* const low = low_.data();
        int* const component = component_.data();
        int* const stack = stack_.data();
        Call* const calls = calls_.data();
        int visited = 0, stacked = 0, finished = 0;
        count_ = 0;
        first_[0] = 0;
        for (int root = 0; root < nodes; ++root) {
            if (number[root] != 0) continue;
            int depth = 0;
            calls[0] = {root, 0};
            number[root] = low[root] = ++visited;
            stack[stacked++] = root;
            while (depth >= 0) {
                const int node = calls[depth].node;
                int edge = calls[depth].edge;
                int lowest = low[node];
                int unvisited = -1;
                while (edge < degree && unvisited < 0) {
                    const int to = successor(node, edge++);
                    if (to < 0) continue;
                    if (number[to] == 0) {
                        unvisited = to;
                    } else if (component[to] < 0) {
                        lowest = std::min(lowest, number[to]);
                    }
                }
                low[node] = lowest;
                if (unvisited >= 0) {
                    calls[depth].edge = edge;
                    number[unvisited] = low[unvisited] = ++visited;
                    stack[stacked++] = unvisited;
                    calls[++depth] = {unvisited, 0};
                    continue;
                }
                if (--depth >= 0) low[calls[depth].node] = std::min(low[calls[depth].node], low[node]);
                if (low[node] != number[node]) continue;
                int member;
                do {
                    member = stack[--stacked];
                    component[member] = count_;
                    members_[index(finished++)] = member;
                } while (member != node);
                first_[index(++count_)] = finished;
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
        int edge;
    };

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    int count_ = 0;
    // Scratch, kept from graph to graph: as long as the largest so far.
    std::vector<int> number_, low_, component_, members_, first_, stack_;
    std::vector<Call> calls_;
};

}  // namespace synth
