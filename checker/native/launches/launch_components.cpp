// Judge a component of a launch and of models that has several states, as the slow twin does it.

#include <algorithm>
#include <ranges>

#include "launches/launch_verdicts.hpp"
#include "transitions/components.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t step_by_node = 10;  // steps of work

// A part of the product: its nodes are numbered from 0.
struct Part {
    struct Edge {
        Number thread;
        int to;  // or -1, if it leads out of the part
    };
    std::vector<Number> first{0};
    std::vector<Edge> edges;
    std::vector<std::vector<std::uint32_t>> fair;  // of each node and model
    std::size_t threads_of_group;

    std::size_t nodes() const { return fair.size(); }
    std::span<const Edge> edges_of(std::size_t node) const {
        return std::span(edges).subspan(first[node], first[node + 1] - first[node]);
    }
    bool is_owed(std::size_t node, std::size_t model, Number thread) const {
        return (fair[node][model] >> (thread / threads_of_group) & 1) != 0;
    }
};

// Call `judge` for each maximal recurrent set among some nodes of a part, which `inside` marks.
template <class Judge>
void for_recurrent(const Part& part, const std::vector<bool>& inside, Judge judge) {
    ComponentsByCursor<Number> components;
    components.find(
        static_cast<int>(part.nodes()), [&](int node) { return part.first[static_cast<std::size_t>(node)]; },
        [&](int node, Number& edge) {
            using Found = ComponentsByCursor<Number>;
            if (edge == part.first[static_cast<std::size_t>(node) + 1] || !inside[static_cast<std::size_t>(node)]) return Found::no_more;
            const int to = part.edges[edge++].to;
            return to >= 0 && inside[static_cast<std::size_t>(to)] ? to : Found::ignored;
        });
    std::vector<int> of(part.nodes());
    for (std::size_t node = 0; node < part.nodes(); ++node) of[node] = components.of(static_cast<int>(node));
    for (int one = 0; one < components.count(); ++one) {
        const std::span<const int> members = components.members(one);
        const auto some = static_cast<std::size_t>(members.front());
        if (!inside[some]) continue;
        const bool has_cycle = members.size() > 1 || std::ranges::any_of(part.edges_of(some), [&](const Part::Edge& edge) {
                                   return edge.to == members.front();
                               });
        if (has_cycle) judge(members, of);
    }
}

}  // namespace

// Judge some nodes of which all cycles among them are to be judged.
void LaunchVerdicts::judge_component(const std::vector<Number>& nodes) {
    std::unordered_map<Number, int> place;
    for (std::size_t i = 0; i < nodes.size(); ++i) place.emplace(nodes[i], static_cast<int>(i));
    Part part;
    part.threads_of_group = space_.threads_of_group();
    for (const Number node : nodes) {
        const Known here = nodes_[node];
        LaunchSpace::Edge edge{};
        for (LaunchSpace::Cursor cursor = space_.edges_of(here.state); cursor.next(space_, edge);) {
            const auto found = place.find(find(edge.to, after(here.model, edge)));
            part.edges.push_back({space_.thread(here.state, edge), found == place.end() ? -1 : found->second});
        }
        part.first.push_back(static_cast<Number>(part.edges.size()));
        part.fair.push_back(fair(here.model, space_.live(here.state)));
        worked(step_by_node);
    }
    const auto numbers = [&](std::span<const int> members) {
        std::vector<Number> found;
        for (const int member : members) found.push_back(nodes[static_cast<std::size_t>(member)]);
        std::ranges::sort(found);
        return found;
    };
    const auto weak = [&](std::span<const int> members, const std::vector<int>& of) {
        std::unordered_map<Number, std::vector<std::size_t>> able;  // how often a thread is owed a step, by model
        std::unordered_map<Number, bool> takes;
        for (const int member : members) {
            const auto node = static_cast<std::size_t>(member);
            for (const Part::Edge& edge : part.edges_of(node)) {
                std::vector<std::size_t>& count = able.try_emplace(edge.thread, number_of_models_).first->second;
                for (std::size_t model = 0; model < number_of_models_; ++model) {
                    count[model] += part.is_owed(node, model, edge.thread) ? 1 : 0;
                }
                if (edge.to >= 0 && of[static_cast<std::size_t>(edge.to)] == of[node]) takes[edge.thread] = true;
            }
        }
        const std::vector<Number> found = numbers(members);
        for (std::size_t model = 0; model < number_of_models_; ++model) {
            const bool fails = std::ranges::all_of(able, [&](const auto& one) {
                return one.second[model] < members.size() || takes.contains(one.first);
            });
            if (fails) note(2 * model, found.front(), found);
        }
    };
    for_recurrent(part, std::vector<bool>(part.nodes(), true), weak);
    for (std::size_t model = 0; model < number_of_models_; ++model) {
        std::vector<std::vector<bool>> todo{std::vector<bool>(part.nodes(), true)};
        while (!todo.empty()) {
            const std::vector<bool> inside = std::move(todo.back());
            todo.pop_back();
            for_recurrent(part, inside, [&](std::span<const int> members, const std::vector<int>& of) {
                std::vector<bool> staying(part.nodes());
                std::size_t stay = 0;
                for (const int member : members) {
                    const auto node = static_cast<std::size_t>(member);
                    staying[node] = std::ranges::all_of(part.edges_of(node), [&](const Part::Edge& edge) {
                        return !part.is_owed(node, model, edge.thread) ||
                               (edge.to >= 0 && of[static_cast<std::size_t>(edge.to)] == of[node]);
                    });
                    stay += staying[node] ? 1 : 0;
                }
                if (stay == members.size()) {
                    const std::vector<Number> found = numbers(members);
                    note(2 * model + 1, found.front(), found);
                } else if (stay != 0) {
                    todo.push_back(std::move(staying));
                }
            });
        }
    }
}

}  // namespace synth
