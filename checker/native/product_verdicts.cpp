#include "product_verdicts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "faults.hpp"

namespace synth {

namespace {

constexpr long long max_pairs = 1LL << 26;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ProductVerdicts::ProductVerdicts(Automaton automaton, VerdictBits bits) : automaton_(std::move(automaton)), bits_(bits) {
    for (int q = 0; q < automaton_.states(); ++q) {
        for (int t = 0; t < automaton_.threads; ++t) {
            next_.push_back(automaton_.steps[index(q)][index(t)]);
            next_.push_back(automaton_.ends[index(q)][index(t)]);
        }
        sets_.insert(sets_.end(), automaton_.fair[index(q)].begin(), automaton_.fair[index(q)].end());
    }
}

void ProductVerdicts::build(const Lts& lts) {
    const int threads = automaton_.threads;
    const int columns = automaton_.states();
    if (static_cast<long long>(lts.states()) * columns > max_pairs) {
        throw LimitFault("found a product of program and model of more than " + std::to_string(max_pairs) + " states");
    }
    number_.assign(index(lts.states() * columns), -1);
    pairs_.assign(1, 0);
    number_[0] = 0;
    successors_.clear();
    fair_.clear();
    for (std::size_t at = 0; at < pairs_.size(); ++at) {
        const int state = pairs_[at] / columns;
        const int q = pairs_[at] % columns;
        const ThreadSet live = lts.live(state);
        fair_.push_back(sets_[index(q) << threads | live]);
        for (int t = 0; t < threads; ++t) {
            const int to = lts.successor(state, t);
            if (to < 0) {
                successors_.push_back(-1);
                continue;
            }
            const bool ends = !(lts.live(to) >> t & 1);
            const int pair = to * columns + next_[index((q * threads + t) * 2 + ends)];
            int& number = number_[index(pair)];
            if (number < 0) {
                number = static_cast<int>(pairs_.size());
                pairs_.push_back(pair);
            }
            successors_.push_back(number);
        }
    }
}

std::uint64_t ProductVerdicts::fails(const Lts& lts) {
    build(lts);
    components_.find(states(), automaton_.threads, [&](int state, int t) { return successor(state, t); });
    bool weak = false;
    bool strong = false;
    for (int c = 0; c < components_.count() && !(weak && strong); ++c) {
        const auto component = components_.members(c);
        if (component.size() == 1) {  // most are: no recursion, no copies
            const int state = component.front();
            const ThreadSet fair = fair_[index(state)];
            ThreadSet loops = 0;
            for (int t = 0; t < automaton_.threads; ++t) {
                if (successor(state, t) == state) loops |= ThreadSet{1} << t;
            }
            if (loops == 0 || (fair & ~loops) != 0) continue;
            weak = strong = true;
        } else {
            weak = weak || fails_weakly(component);
            strong = strong || holds_closed_set({component.begin(), component.end()});
        }
    }
    return (weak ? bits_.weak : 0) | (strong ? bits_.strong : 0);
}

// Every thread that is fair in all states of the maximal strongly connected set takes an edge inside it.
bool ProductVerdicts::fails_weakly(std::span<const int> component) const {
    ThreadSet always_fair = ~ThreadSet{0};
    ThreadSet stepping = 0;
    for (const int state : component) {
        always_fair &= fair_[index(state)];
        for (int t = 0; t < automaton_.threads; ++t) {
            const int to = successor(state, t);
            if (to >= 0 && components_.of(to) == components_.of(state)) stepping |= ThreadSet{1} << t;
        }
    }
    return (always_fair & ~stepping) == 0;
}

// Whether some recurrent set inside `states`, a strongly connected set, is closed under fair steps. States with a fair
// step out of `states` are in none, nor are those with a fair step to such a state; what is left is taken apart again.
bool ProductVerdicts::holds_closed_set(std::vector<int> states) {
    const int threads = automaton_.threads;
    std::vector<std::vector<int>> todo{std::move(states)};
    is_in_.assign(index(this->states()), 0);
    Components inner;
    std::vector<int> place(index(this->states()));
    while (!todo.empty()) {
        std::vector<int> set = std::move(todo.back());
        todo.pop_back();
        const std::size_t before = set.size();
        for (const int state : set) is_in_[index(state)] = 1;
        const auto has_fair_step_out = [&](int state) {
            for (int t = 0; t < threads; ++t) {
                if ((fair_[index(state)] >> t & 1) && !is_in_[index(successor(state, t))]) return true;
            }
            return false;
        };
        for (bool shrinks = true; shrinks;) {
            const std::size_t removed = std::erase_if(set, [&](int state) {
                const bool out = has_fair_step_out(state);
                if (out) is_in_[index(state)] = 0;
                return out;
            });
            shrinks = removed > 0;
        }
        if (!set.empty() && set.size() == before) return true;
        for (std::size_t k = 0; k < set.size(); ++k) place[index(set[k])] = static_cast<int>(k);
        const auto inside = [&](int k, int t) {
            const int to = successor(set[index(k)], t);
            return to >= 0 && is_in_[index(to)] ? place[index(to)] : -1;
        };
        inner.find(static_cast<int>(set.size()), threads, inside);
        for (int c = 0; c < inner.count(); ++c) {
            const auto members = inner.members(c);
            bool has_edge = members.size() > 1;
            for (int t = 0; t < threads && !has_edge; ++t) has_edge = inside(members.front(), t) == members.front();
            if (!has_edge) continue;
            std::vector<int>& part = todo.emplace_back();
            for (const int k : members) part.push_back(set[index(k)]);
        }
        for (const int state : set) is_in_[index(state)] = 0;
    }
    return false;
}

}  // namespace synth
