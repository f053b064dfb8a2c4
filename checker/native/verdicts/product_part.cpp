#include "verdicts/product_part.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "work/work.hpp"

namespace synth {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void ProductPart::judge(Failures& failures) {
    components_.find(static_cast<int>(fair_.size()), [this](int) { return live_; },
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
        for (int t = 0; t < threads_; ++t) loops |= ThreadSet{successor(node, t) == node} << t;
        if (loops != 0 && (fair_[index(node)] & ~loops) == 0) failures.weak = failures.strong = true;
    }
}

// Every thread that is fair in all states of the maximal strongly connected set takes an edge inside it.
bool ProductPart::fails_weakly(std::span<const int> set) const {
    ThreadSet always_fair = ~ThreadSet{0};
    ThreadSet stepping = 0;
    for (const int node : set) {
        always_fair &= fair_[index(node)];
        for (int t = 0; t < threads_; ++t) {
            const int to = successor(node, t);
            if (to >= 0 && components_.of(to) == components_.of(node)) stepping |= ThreadSet{1} << t;
        }
    }
    return (always_fair & ~stepping) == 0;
}

// Whether some recurrent set inside a strongly connected set is closed under fair steps. States with a fair step out of
// the set are in none, nor are those with a fair step to such a state; what is left is taken apart again.
bool ProductPart::holds_closed_set(std::span<const int> set) {
    is_in_.assign(fair_.size(), 0);
    place_in_set_.resize(std::max(place_in_set_.size(), fair_.size()));
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
bool ProductPart::shrink_to_closed(std::vector<int>& set) {
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
void ProductPart::take_apart(const std::vector<int>& set) {
    for (std::size_t k = 0; k < set.size(); ++k) place_in_set_[index(set[k])] = static_cast<int>(k);
    const auto inside = [&](int k, int t) {
        const int to = successor(set[index(k)], t);
        return to >= 0 && is_in_[index(to)] ? place_in_set_[index(to)] : -1;
    };
    inner_.find(static_cast<int>(set.size()), [this](int) { return live_; }, inside);
    for (int c = 0; c < inner_.count(); ++c) {
        const auto members = inner_.members(c);
        bool has_edge = members.size() > 1;
        for (int t = 0; t < threads_ && !has_edge; ++t) has_edge = inside(members.front(), t) == members.front();
        if (!has_edge) continue;
        std::vector<int>& part = todo_.emplace_back();
        for (const int k : members) part.push_back(set[index(k)]);
    }
}

}  // namespace synth
