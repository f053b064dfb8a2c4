#include "launches/launch_verdicts.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <ranges>

#include "transitions/components.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t step_by_chain = 10;  // steps of work

int index(Number number) { return static_cast<int>(number); }
Number number(std::size_t index) { return static_cast<Number>(index); }

}  // namespace

LaunchVerdicts::LaunchVerdicts(const LaunchSpace& space, LaunchModels& models, std::size_t number_of_models)
    : space_(space), models_(models), number_of_models_(number_of_models), first_(space.states()),
      failing_(2 * number_of_models), nearest_(2 * number_of_models, no_number) {
    reach();
    judge();
}

// Find the reachable nodes, those nearer to the start first.
void LaunchVerdicts::reach() {
    using Clock = std::chrono::steady_clock;
    Clock::time_point looked = Clock::now();
    nodes_.push_back({0, 0, no_number});
    first_[0] = {0, 0};
    for (Number node = 0; node < nodes_.size(); ++node) {
        const Known here = nodes_[node];
        LaunchSpace::Edge edge{};
        for (LaunchSpace::Cursor cursor = space_.edges_of(here.state); cursor.next(space_, edge);) {
            const Number model = after(here.model, edge);
            if (edge.to == here.state && model == here.model) {
                if (loops_.empty() || loops_.back() != node) loops_.push_back(node);
                continue;
            }
            if (find(edge.to, model) != no_number) continue;
            if (nodes_.size() == INT32_MAX) throw LimitFault("the launch and the models together have too many states");
            const Number next = first_[edge.to].node;
            first_[edge.to] = {number(nodes_.size()), model};
            nodes_.push_back({edge.to, model, next});
        }
        worked(step_by_chain);
        if (node % 1024 == 0 && Clock::now() - looked > std::chrono::milliseconds(50)) {
            models_.tick(space_.states());
            looked = Clock::now();
        }
    }
    const std::size_t states = after_.size() / (2 * space_.groups());
    ComponentsByCursor<Number> components;
    components.find(
        static_cast<int>(states), [](int) { return Number{0}; },
        [&](int model, Number& entry) {
            if (entry == 2 * space_.groups()) return ComponentsByCursor<Number>::no_more;
            const Number to = after_[static_cast<std::size_t>(model) * 2 * space_.groups() + entry++];
            return to >= states ? ComponentsByCursor<Number>::ignored : index(to);
        });
    only_history_ = components.count() == static_cast<int>(states);
}

Number LaunchVerdicts::find(Number state, Number model) const {
    const First& first = first_[state];
    if (first.model == model) return first.node;
    Number node = first.node;
    while (node != no_number && nodes_[node].model != model) node = nodes_[node].next;
    return node;
}

// The models observe the step of an edge, and then the other groups that end with it.
Number LaunchVerdicts::after(Number model, const LaunchSpace::Edge& edge) {
    model = told(model, edge.group, edge.ends);
    for (std::uint32_t others = edge.others; others != 0; others &= others - 1) {
        model = told(model, static_cast<std::uint32_t>(std::countr_zero(others)), true);
    }
    return model;
}

Number LaunchVerdicts::told(Number model, std::uint32_t group, bool ends) {
    const std::size_t place = (std::size_t{model} * space_.groups() + group) * 2 + (ends ? 1 : 0);
    const std::size_t row = 2 * space_.groups();
    if (place >= after_.size()) after_.resize((std::size_t{model} + 1) * row, no_number);
    if (after_[place] == no_number) after_[place] = models_.after(model, group, ends);
    return after_[place];
}

const std::vector<std::uint32_t>& LaunchVerdicts::fair(Number model, std::uint32_t live) {
    const auto [found, is_new] = fair_.try_emplace(std::uint64_t{model} << 32 | live);
    if (is_new) found->second = models_.fair(model, live);
    return found->second;
}

void LaunchVerdicts::judge() {
    using ByEdge = ComponentsByCursor<LaunchSpace::Cursor>;
    std::vector<std::vector<Number>> large;  // the nodes over each component of the launch that has several states
    std::vector<Number> component_of;        // its number, for the states of these components
    {
        ByEdge components;
        components.find(
            static_cast<int>(space_.states()), [&](int state) { return space_.edges_of(static_cast<Number>(state)); },
            [&](int, LaunchSpace::Cursor& cursor) {
                LaunchSpace::Edge edge{};
                return cursor.next(space_, edge) ? index(edge.to) : ByEdge::no_more;
            });
        component_of.assign(space_.states(), no_number);
        for (int one = 0; one < components.count(); ++one) {
            const std::span<const int> members = components.members(one);
            if (members.size() == 1) continue;
            for (const int state : members) component_of[static_cast<std::size_t>(state)] = number(large.size());
            large.emplace_back();
        }
    }
    for (const Number node : loops_) {
        if (only_history_ && component_of[nodes_[node].state] == no_number) judge_loops(node);
    }
    for (Number node = 0; node < nodes_.size(); ++node) {
        const Number state = nodes_[node].state;
        if (component_of[state] != no_number) {
            large[component_of[state]].push_back(node);
        } else if (only_history_) {
            continue;
        } else if (node == first_[state].node) {
            std::vector<Number> same;
            for (Number one = node; one != no_number; one = nodes_[one].next) same.push_back(one);
            judge_component(same);
        }
        worked(step_by_chain);
    }
    std::vector<Number>().swap(component_of);
    for (const std::vector<Number>& nodes : large) judge_component(nodes);
}

// Judge the loops of a node whose state lies on no other cycle. Then both forms fail if each thread that is owed a step
// goes round a loop.
void LaunchVerdicts::judge_loops(Number node) {
    const Known here = nodes_[node];
    std::uint32_t leaving = 0;  // the groups with a thread whose step leads elsewhere
    LaunchSpace::Edge edge{};
    for (LaunchSpace::Cursor cursor = space_.edges_of(here.state); cursor.next(space_, edge);) {
        if (edge.to != here.state || after(here.model, edge) != here.model) leaving |= std::uint32_t{1} << edge.group;
    }
    const std::vector<std::uint32_t>& promised = fair(here.model, space_.live(here.state));
    for (std::size_t model = 0; model < number_of_models_; ++model) {
        if ((promised[model] & leaving) != 0) continue;
        for (const std::size_t form : {0, 1}) note(2 * model + form, node, {node});
    }
}

void LaunchVerdicts::note(std::size_t place, Number nearest, const std::vector<Number>& nodes) {
    if (nearest >= nearest_[place]) return;
    nearest_[place] = nearest;
    failing_[place].clear();
    for (const Number node : nodes) failing_[place].push_back({nodes_[node].state, nodes_[node].model});
}

std::vector<LaunchVerdicts::Node> LaunchVerdicts::nodes_of(Number state) const {
    std::vector<Node> found;
    for (Number node = first_.at(state).node; node != no_number; node = nodes_[node].next) found.push_back({state, nodes_[node].model});
    return found;
}

std::pair<std::vector<Number>, LaunchVerdicts::Node> LaunchVerdicts::way_to(const std::vector<Node>& goals) {
    Number goal = no_number;
    for (const Node& one : goals) goal = std::min(goal, find(one.state, one.model));
    if (goal == no_number) throw InputFault("found no node to go to");
    struct Came {
        Number from, thread;
    };
    std::vector<Came> came(std::size_t{goal} + 1, {no_number, 0});
    for (Number node = 0; goal != 0 && came[goal].from == no_number; ++node) {
        const Known here = nodes_[node];
        LaunchSpace::Edge edge{};
        for (LaunchSpace::Cursor cursor = space_.edges_of(here.state); cursor.next(space_, edge);) {
            const Number to = find(edge.to, after(here.model, edge));
            if (to <= goal && to != 0 && came[to].from == no_number) came[to] = {node, space_.thread(here.state, edge)};
        }
        worked(step_by_chain);
    }
    std::vector<Number> way;
    for (Number node = goal; node != 0; node = came[node].from) way.push_back(came[node].thread);
    std::ranges::reverse(way);
    return {way, {nodes_[goal].state, nodes_[goal].model}};
}

}  // namespace synth
