// Which states a partial program reaches, whether it can still end, and whether it has a cycle: fixpoints over state sets.
//
// A partial program consists of its decided edges; an edge is a set of source states and a rotation. An undecided edge
// leads nowhere yet, and the search continues at its source states. Each fixpoint visits all edges again and again, and
// uses new states immediately. Edges are decided in the order in which executions reach them. So reachable states are
// followed in that order, and states that can continue are followed in the opposite order.
#pragma once

#include <vector>

#include "search/state_set.hpp"

namespace synth {

template <int Words>
struct Edge {
    StateSet<Words> from;
    unsigned shift;  // to the successors
    unsigned back;   // from them
};

template <int Words>
using Edges = std::vector<Edge<Words>>;

// The least set that holds `reached` and is closed under the edges, when `reached` is closed under all but the edges from
// `first_new` on.
template <int Words>
StateSet<Words> all_reached(StateSet<Words> reached, const Edges<Words>& edges, std::size_t first_new) {
    StateSet<Words> before = reached;
    for (std::size_t e = first_new; e < edges.size(); ++e) reached |= (reached & edges[e].from).rotated(edges[e].shift);
    while (!(reached == before)) {
        before = reached;
        for (const Edge<Words>& edge : edges) reached |= (reached & edge.from).rotated(edge.shift);
    }
    return reached;
}

// The least set that holds `goes_on` and all states of the closed set `reached` with an edge into it.
template <int Words>
StateSet<Words> all_leading_to(StateSet<Words> goes_on, const StateSet<Words>& reached, const Edges<Words>& edges) {
    while (!(goes_on == reached)) {
        const StateSet<Words> before = goes_on;
        for (auto edge = edges.rbegin(); edge != edges.rend(); ++edge) {
            goes_on |= goes_on.rotated(edge->back) & edge->from & reached;
        }
        if (goes_on == before) break;
    }
    return goes_on;
}

// Whether some state of a closed set lies on a cycle: the greatest part in which each has a successor is not empty.
template <int Words>
bool has_cycle(const StateSet<Words>& reached, const Edges<Words>& edges) {
    StateSet<Words> round = reached, before;
    do {
        before = round;
        StateSet<Words> sources;
        for (const Edge<Words>& edge : edges) sources |= round.rotated(edge.back) & edge.from;
        round &= sources;
    } while (!(round == before));
    return !round.empty();
}

}  // namespace synth
