#include "lazy/verdict_refutation.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace synth {

namespace {

constexpr auto at = SplitStates::at;

}  // namespace

VerdictRefutation::VerdictRefutation(const SplitStates& states, OutcomeLiterals literals, std::vector<WantedVerdict> wanted)
    : states_(states), partial_(states, std::move(literals)), wanted_(std::move(wanted)) {
    for (const WantedVerdict& verdict : wanted_) {
        if (verdict.automaton.threads != states.threads()) {
            throw InputFault("found an automaton for " + std::to_string(verdict.automaton.threads) + " threads, expected " +
                             std::to_string(states.threads()));
        }
    }
}

const std::vector<std::vector<int>>& VerdictRefutation::clauses(const Program& program) {
    partial_.take(program);
    clauses_.clear();
    const auto certainly = [this](int state, auto visit) { partial_.certain_steps(state, visit); };
    const auto possibly = [this](int state, auto visit) { partial_.possible_steps(state, visit); };
    for (const WantedVerdict& verdict : wanted_) {
        partial_.know_all();
        const bool fails = runs_for_ever(verdict, certainly);
        if (fails != verdict.passes) continue;
        if (fails) {
            clauses_.push_back(partial_.reason([this] { partial_.grow_certainly(0); }, {}, 0,
                                               [&] { return runs_for_ever(verdict, certainly); }));
        } else {
            clauses_.push_back(partial_.reason([this] { partial_.grow_possibly(0); }, {}, 0,
                                               [&] { return !runs_for_ever(verdict, possibly); }));
        }
    }
    return clauses_;
}

// Whether the product by some steps holds a recurrent set with which the verdict is a failure.
template <class Steps>
bool VerdictRefutation::runs_for_ever(const WantedVerdict& verdict, Steps steps) {
    build(verdict.automaton, steps);
    inside_.assign(pairs_.size(), 1);
    for (bool shrinks = true; shrinks;) {
        shrinks = remove_stuck(verdict);
        if (verdict.strong) continue;
        for (int thread = 0; thread < states_.threads(); ++thread) shrinks = remove_unfair(thread) || shrinks;
    }
    return std::ranges::find(inside_, 1) != inside_.end();
}

template <class Steps>
void VerdictRefutation::build(const Automaton& automaton, Steps steps) {
    const int columns = automaton.states();
    number_.assign(at(states_.count()) * at(columns), -1);
    pairs_.assign(1, 0);
    number_[0] = 0;
    fair_.clear();
    first_.clear();
    edges_.clear();
    for (std::size_t node = 0; node < pairs_.size(); ++node) {
        const int state = pairs_[node] / columns;
        const int q = pairs_[node] % columns;
        fair_.push_back(automaton.fair[at(q)][live(state)]);
        first_.push_back(edges_.size());
        steps(state, [&](int next, int place) {
            const int thread = states_.places()[at(place)].thread;
            const auto& after = states_.place(next, thread) < 0 ? automaton.ends : automaton.steps;
            const int pair = next * columns + after[at(q)][at(thread)];
            if (number_[at(pair)] < 0) {
                number_[at(pair)] = static_cast<int>(pairs_.size());
                pairs_.push_back(pair);
            }
            edges_.push_back({thread, number_[at(pair)]});
        });
    }
    first_.push_back(edges_.size());
}

// Remove the nodes without a step inside and, under the strong form, those that owe a thread one that it has not; until
// nothing is removed. Whether anything was.
bool VerdictRefutation::remove_stuck(const WantedVerdict& verdict) {
    bool any = false;
    for (bool shrinks = true; shrinks;) {
        shrinks = false;
        for (std::size_t node = pairs_.size(); node-- > 0;) {
            if (!inside_[node]) continue;
            const ThreadSet stepping = steps_inside(static_cast<int>(node));
            if (stepping != 0 && (!verdict.strong || (fair_[node] & ~stepping) == 0)) continue;
            inside_[node] = 0;
            shrinks = any = true;
        }
    }
    return any;
}

// Remove the nodes from which no way inside leads to one where the thread is not fair or steps. Whether there was any.
bool VerdictRefutation::remove_unfair(int thread) {
    marked_.assign(pairs_.size(), 0);
    for (std::size_t node = 0; node < pairs_.size(); ++node) {
        const bool is_fair = fair_[node] >> thread & 1;
        marked_[node] = inside_[node] && (!is_fair || (steps_inside(static_cast<int>(node)) >> thread & 1));
    }
    for (bool grows = true; grows;) {
        grows = false;
        for (std::size_t node = pairs_.size(); node-- > 0;) {
            if (!inside_[node] || marked_[node]) continue;
            for (std::size_t k = first_[node]; k < first_[node + 1] && !marked_[node]; ++k) {
                marked_[node] = marked_[at(edges_[k].to)];
            }
            grows = grows || marked_[node];
        }
    }
    const bool any = inside_ != marked_;
    inside_ = marked_;
    return any;
}

// The threads with a step from a node to one inside.
ThreadSet VerdictRefutation::steps_inside(int node) const {
    ThreadSet found = 0;
    for (std::size_t k = first_[at(node)]; k < first_[at(node) + 1]; ++k) {
        if (inside_[at(edges_[k].to)]) found |= ThreadSet{1} << edges_[k].thread;
    }
    return found;
}

ThreadSet VerdictRefutation::live(int state) const {
    ThreadSet found = 0;
    for (int thread = 0; thread < states_.threads(); ++thread) found |= ThreadSet{states_.place(state, thread) >= 0} << thread;
    return found;
}

}  // namespace synth
