#include "verdicts/product_verdicts.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "work/faults.hpp"
#include "work/work.hpp"

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

// Find the reachable part of the product.
void ProductVerdicts::prepare(const Lts& lts) {
    if (sets_) {
        sets_->push(lts);
    } else {
        reach(lts);
    }
    place_.resize(std::max(place_.size(), index(lts.states())));
}

std::uint64_t ProductVerdicts::fails(const Lts& lts) {
    prepare(lts);
    Failures failures;
    for (const int component : lts.cyclic()) {
        build_over(lts, component);
        part_.judge(failures);
        if (failures.weak && failures.strong) break;
    }
    return bits_of(failures);
}

std::map<ThreadSet, std::uint64_t> ProductVerdicts::explained(const Lts& lts) {
    prepare(lts);
    std::map<ThreadSet, std::uint64_t> found;
    for (int component = 0; component < lts.components(); ++component) {
        std::uint64_t& here = found[lts.live(lts.members(component).front())];
        if (may_rest(lts, component)) here = bits_.weak | bits_.strong;
    }
    for (const int component : lts.cyclic()) {
        Failures failures;
        build_over(lts, component);
        part_.judge(failures);
        found[lts.live(lts.members(component).front())] |= bits_of(failures);
    }
    return found;
}

bool ProductVerdicts::may_rest(const Lts& lts, int component) const {
    const auto members = lts.members(component);
    const ThreadSet live = lts.live(members.front());
    for (int q = 0; q < automaton_.states(); ++q) {
        if (automaton_.fair[index(q)][live] != 0) continue;
        worked(members.size());
        if (std::ranges::any_of(members, [&](int state) { return is_reached(state, q); })) return true;
    }
    return false;
}

void ProductVerdicts::reach(const Lts& lts) {
    const int columns = automaton_.states();
    if (static_cast<long long>(lts.states()) * columns > max_pairs) {
        throw LimitFault("this program and the model together have more than " + std::to_string(max_pairs) +
                         " states; use fewer threads or instructions, or a model with fewer states");
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
    const ThreadSet live = lts.live(members.front());
    nodes_.clear();
    part_.clear(threads, live);
    number_.assign(members.size() * index(columns), -1);
    for (std::size_t k = 0; k < members.size(); ++k) {
        worked(index(columns));
        place_[index(members[k])] = static_cast<int>(k);
        for (int q = 0; q < columns; ++q) {
            if (!is_reached(members[k], q)) continue;
            number_[k * index(columns) + index(q)] = part_.add(automaton_.fair[index(q)][live]);
            nodes_.push_back({members[k], q});
        }
    }
    part_.make_edges();
    for (int node = 0; node < part_.size(); ++node) {
        const auto [state, q] = nodes_[index(node)];
        for (ThreadSet left = lts.inside(state); left != 0; left &= left - 1) {
            const int t = std::countr_zero(left);
            const int row = place_[index(lts.successor(state, t))] * columns;
            part_.connect(node, t, number_[index(row + automaton_.steps[index(q)][index(t)])]);
        }
    }
}

}  // namespace synth
