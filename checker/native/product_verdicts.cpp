#include "product_verdicts.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "faults.hpp"
#include "work.hpp"

namespace synth {

namespace {

constexpr long long max_pairs = 1LL << 26;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

ProductVerdicts::ProductVerdicts(Automaton automaton, VerdictBits bits) : automaton_(std::move(automaton)), bits_(bits) {
    if (automaton_.states() <= ReachedWith::max_states) {
        sets_.emplace(automaton_.steps, automaton_.ends, automaton_.threads);
    }
}

std::uint64_t ProductVerdicts::fails(const Lts& lts) {
    if (sets_) {
        sets_->push(lts);
    } else {
        reach(lts);
    }
    place_.resize(std::max(place_.size(), index(lts.states())));
    Failures failures;
    for (const int component : lts.cyclic()) {
        build_over(lts, component);
        judge_part(failures);
        if (failures.weak && failures.strong) break;
    }
    return (failures.weak ? bits_.weak : 0) | (failures.strong ? bits_.strong : 0);
}

void ProductVerdicts::reach(const Lts& lts) {
    const int columns = automaton_.states();
    if (static_cast<long long>(lts.states()) * columns > max_pairs) {
        throw LimitFault("found a product of program and model of more than " + std::to_string(max_pairs) + " states");
    }
    reached_.assign(index(lts.states() * columns), 0);
    std::vector<int> todo{0};
    reached_[0] = 1;
    while (!todo.empty()) {
        worked(1);
        const int state = todo.back() / columns;
        const int q = todo.back() % columns;
        todo.pop_back();
        for (ThreadSet left = lts.live(state); left != 0; left &= left - 1) {
            const int t = std::countr_zero(left);
            const int to = lts.successor(state, t);
            const auto& after = lts.live(to) == lts.live(state) ? automaton_.steps : automaton_.ends;
            const int pair = to * columns + after[index(q)][index(t)];
            if (reached_[index(pair)]) continue;
            reached_[index(pair)] = 1;
            todo.push_back(pair);
        }
    }
}

bool ProductVerdicts::is_reached(int state, int q) const {
    return sets_ ? (*sets_)[state] >> q & 1 : reached_[index(state * automaton_.states() + q)];
}

void ProductVerdicts::build_over(const Lts& lts, int component) {
    const int threads = automaton_.threads;
    const int columns = automaton_.states();
    const auto members = lts.members(component);
    live_ = lts.live(members.front());
    nodes_.clear();
    fair_.clear();
    number_.assign(members.size() * index(columns), -1);
    for (std::size_t k = 0; k < members.size(); ++k) {
        worked(index(columns));
        place_[index(members[k])] = static_cast<int>(k);
        for (int q = 0; q < columns; ++q) {
            if (!is_reached(members[k], q)) continue;
            number_[k * index(columns) + index(q)] = static_cast<int>(nodes_.size());
            nodes_.push_back({members[k], q});
            fair_.push_back(automaton_.fair[index(q)][live_]);
        }
    }
    successors_.assign(nodes_.size() * index(threads), -1);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        const auto [state, q] = nodes_[node];
        for (ThreadSet left = lts.inside(state); left != 0; left &= left - 1) {
            const int t = std::countr_zero(left);
            const int row = place_[index(lts.successor(state, t))] * columns;
            successors_[node * index(threads) + index(t)] = number_[index(row + automaton_.steps[index(q)][index(t)])];
        }
    }
}

void ProductVerdicts::judge_part(Failures& failures) {
    components_.find(static_cast<int>(nodes_.size()), [this](int) { return live_; },
                     [this](int node, int t) { return successor(node, t); });
    for (int c = 0; c < components_.count(); ++c) {
        const auto set = components_.members(c);
        if (set.size() > 1) {
            failures.weak = failures.weak || fails_weakly(set);
            failures.strong = failures.strong || holds_closed_set(set);
            continue;
        }
        const int node = set.front();
        ThreadSet loops = 0;
        for (int t = 0; t < automaton_.threads; ++t) loops |= ThreadSet{successor(node, t) == node} << t;
        if (loops != 0 && (fair_[index(node)] & ~loops) == 0) failures.weak = failures.strong = true;
    }
}

// Every thread that is fair in all states of the maximal strongly connected set takes an edge inside it.
bool ProductVerdicts::fails_weakly(std::span<const int> set) const {
    ThreadSet always_fair = ~ThreadSet{0};
    ThreadSet stepping = 0;
    for (const int node : set) {
        always_fair &= fair_[index(node)];
        for (int t = 0; t < automaton_.threads; ++t) {
            const int to = successor(node, t);
            if (to >= 0 && components_.of(to) == components_.of(node)) stepping |= ThreadSet{1} << t;
        }
    }
    return (always_fair & ~stepping) == 0;
}

// Whether some recurrent set inside a strongly connected set is closed under fair steps. States with a fair step out of
// the set are in none, nor are those with a fair step to such a state; what is left is taken apart again.
bool ProductVerdicts::holds_closed_set(std::span<const int> set) {
    is_in_.assign(nodes_.size(), 0);
    place_in_set_.resize(std::max(place_in_set_.size(), nodes_.size()));
    todo_.clear();
    todo_.emplace_back(set.begin(), set.end());
    while (!todo_.empty()) {
        std::vector<int> part = std::move(todo_.back());
        todo_.pop_back();
        if (!shrink_to_closed(part)) return true;
        take_apart(part);
        for (const int node : part) is_in_[index(node)] = 0;
    }
    return false;
}

// Remove from a set what a fair step leads out of, until nothing is; whether anything was. The nodes left are marked.
bool ProductVerdicts::shrink_to_closed(std::vector<int>& set) {
    const std::size_t before = set.size();
    for (const int node : set) is_in_[index(node)] = 1;
    const auto remove = [&](int node) {
        for (ThreadSet left = fair_[index(node)]; left != 0; left &= left - 1) {
            const int to = successor(node, std::countr_zero(left));
            if (to >= 0 && is_in_[index(to)]) continue;
            is_in_[index(node)] = 0;
            return true;
        }
        return false;
    };
    do {
        worked(set.size());
    } while (std::erase_if(set, remove) > 0);
    return set.size() < before;
}

// The recurrent parts of a set whose nodes are marked become sets to do.
void ProductVerdicts::take_apart(const std::vector<int>& set) {
    for (std::size_t k = 0; k < set.size(); ++k) place_in_set_[index(set[k])] = static_cast<int>(k);
    const auto inside = [&](int k, int t) {
        const int to = successor(set[index(k)], t);
        return to >= 0 && is_in_[index(to)] ? place_in_set_[index(to)] : -1;
    };
    inner_.find(static_cast<int>(set.size()), [this](int) { return live_; }, inside);
    for (int c = 0; c < inner_.count(); ++c) {
        const auto members = inner_.members(c);
        bool has_edge = members.size() > 1;
        for (int t = 0; t < automaton_.threads && !has_edge; ++t) has_edge = inside(members.front(), t) == members.front();
        if (!has_edge) continue;
        std::vector<int>& part = todo_.emplace_back();
        for (const int k : members) part.push_back(set[index(k)]);
    }
}

}  // namespace synth
