// What a partial program reaches, and whether it can still end and still go round: fixpoints over sets of states.
//
// A partial program is its decided edges: from the states of a set, by a rotation. An edge that is not decided leads
// nowhere yet; states at its source are where the search goes on. Each fixpoint goes over all edges again and again, and
// uses at once what a round has found. Edges are decided in the order in which executions come upon them: so what is
// reached is followed in that order, and what can go on in the opposite one.
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
