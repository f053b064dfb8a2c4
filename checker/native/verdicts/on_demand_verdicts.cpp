#include "verdicts/on_demand_verdicts.hpp"

#include <bit>
#include <string>

#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t node_by_hash = 50;  // steps of work

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

Failures OnDemandVerdicts::fails(const Lts& lts) {
    Failures failures;
    if (lts.cyclic().empty()) return failures;
    reach(lts);
    std::vector<std::vector<int>> of_component(index(lts.components()));
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        of_component[index(lts.component(nodes_[node].state))].push_back(static_cast<int>(node));
    }
    place_.resize(nodes_.size());
    for (const int component : lts.cyclic()) {
        build_over(lts, of_component[index(component)]);
        part_.judge(failures);
        if (failures.weak && failures.strong) break;
    }
    return failures;
}

void OnDemandVerdicts::reach(const Lts& lts) {
    nodes_.assign(1, {0, 0});
    number_.clear();
    number_.emplace(key(0, 0), 0);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        worked(node_by_hash);
        const auto [state, q] = nodes_[node];
        for (ThreadSet left = lts.live(state); left != 0; left &= left - 1) {
            const int t = std::countr_zero(left);
            const int to = lts.successor(state, t);
            const std::uint32_t next = after(q, t, lts.live(to) != lts.live(state));
            if (!number_.try_emplace(key(to, next), static_cast<int>(nodes_.size())).second) continue;
            if (nodes_.size() == max_nodes) {
                throw LimitFault("this program and the model together have more than " + std::to_string(max_nodes) +
                                 " states; use fewer threads or instructions, or a model with fewer states");
            }
            nodes_.push_back({to, next});
        }
    }
}

// The part that consists of some nodes, all those over one component.
void OnDemandVerdicts::build_over(const Lts& lts, const std::vector<int>& nodes) {
    const ThreadSet live = lts.live(nodes_[index(nodes.front())].state);
    part_.clear(lts.threads(), live);
    std::unordered_map<std::uint32_t, ThreadSet> fair;
    for (const int node : nodes) {
        worked(node_by_hash);
        const std::uint32_t q = nodes_[index(node)].q;
        const auto [found, is_new] = fair.try_emplace(q, 0);
        if (is_new) found->second = automaton_.fair(q, live);
        place_[index(node)] = part_.add(found->second);
    }
    part_.make_edges();
    for (const int node : nodes) {
        worked(node_by_hash);
        const auto [state, q] = nodes_[index(node)];
        for (ThreadSet left = lts.inside(state); left != 0; left &= left - 1) {
            const int t = std::countr_zero(left);
            const int to = number_.at(key(lts.successor(state, t), after(q, t, false)));
            part_.connect(place_[index(node)], t, place_[index(to)]);
        }
    }
}

std::uint32_t OnDemandVerdicts::after(std::uint32_t q, int thread, bool ends) {
    const auto what = static_cast<std::uint64_t>(2 * thread + (ends ? 1 : 0)) << 32 | q;
    const auto [found, is_new] = after_.try_emplace(what, 0);
    if (is_new) found->second = automaton_.after(q, thread, ends);
    return found->second;
}

}  // namespace synth
