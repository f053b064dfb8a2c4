#include "simulation/stuck.hpp"

#include <bit>
#include <utility>

#include "work/work.hpp"

namespace synth {

const std::uint8_t* StuckTables::find(ThreadSet residents) {
    const auto known = tables_.find(residents);
    if (known != tables_.end()) return known->second.data();

    // Backwards from the steps that end one of them. `first` and `next` are lists of the edges into a state.
    struct Edge {
        int from;
        int next;
    };
    const auto states = static_cast<std::size_t>(lts_.states());
    std::vector<std::uint8_t> stuck(states, 1);
    std::vector<int> first(states, -1);
    std::vector<Edge> edges;
    std::vector<int> to_do;
    for (int state = 0; state < lts_.states(); ++state) {
        if ((lts_.live(state) & residents) != residents) continue;
        worked(static_cast<std::size_t>(lts_.threads()));
        for (ThreadSet left = residents; left != 0; left &= left - 1) {
            const int thread = std::countr_zero(left);
            const int to = lts_.successor(state, thread);
            if ((lts_.live(to) >> thread & 1) == 0) {
                if (std::exchange(stuck[static_cast<std::size_t>(state)], 0) != 0) to_do.push_back(state);
            } else if (to != state) {
                edges.push_back({state, first[static_cast<std::size_t>(to)]});
                first[static_cast<std::size_t>(to)] = static_cast<int>(edges.size()) - 1;
            }
        }
    }
    while (!to_do.empty()) {
        const int to = to_do.back();
        to_do.pop_back();
        for (int edge = first[static_cast<std::size_t>(to)]; edge >= 0; edge = edges[static_cast<std::size_t>(edge)].next) {
            const int from = edges[static_cast<std::size_t>(edge)].from;
            if (std::exchange(stuck[static_cast<std::size_t>(from)], 0) != 0) to_do.push_back(from);
        }
    }
    return tables_.emplace(residents, std::move(stuck)).first->second.data();
}

}  // namespace synth
