#include "proofs/unit_propagation.hpp"

#include <algorithm>

#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t least_waste = std::size_t{1} << 16;

// The same for each order of the literals. Other clauses may have it, too, so it only says where to look.
std::uint64_t hash_of(std::span<const Literal> literals) {
    std::uint64_t sum = 0;
    for (const Literal literal : literals) {
        std::uint64_t mixed = (literal + 1) * 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93;
        sum += mixed ^ (mixed >> 32);
    }
    return sum;
}

}  // namespace

void UnitPropagation::add(const Clause& clause) {
    if (refuted_) return;
    make_room(clause);
    scratch_ = clause;
    const auto open = std::partition(scratch_.begin(), scratch_.end(), [&](Literal one) { return !is_false(one); });
    if (std::any_of(scratch_.begin(), open, [&](Literal one) { return is_true(one); })) return;  // holds for good
    if (open - scratch_.begin() < 2) {
        if (open != scratch_.begin()) assign(scratch_.front());
        refuted_ = open == scratch_.begin() || !propagate();
        return;
    }
    const Place place = kept_.size();
    kept_.push_back(static_cast<std::uint32_t>(scratch_.size()));
    kept_.insert(kept_.end(), scratch_.begin(), scratch_.end());
    places_.emplace(hash_of(clause), place);
    watch(place);
}

void UnitPropagation::remove(const Clause& clause) {
    const auto [first, last] = places_.equal_range(hash_of(clause));
    const auto found = std::find_if(first, last, [&](const auto& entry) {
        const std::span<const Literal> literals = literals_at(entry.second);
        scratch_.assign(literals.begin(), literals.end());
        std::ranges::sort(scratch_);
        return scratch_ == clause;
    });
    if (found == last) return;
    wasted_ += clause.size() + 1;
    kept_[found->second] |= removed;
    places_.erase(found);
    if (wasted_ > std::max(kept_.size() / 2, least_waste)) drop_removed();
}

bool UnitPropagation::implies(const Clause& clause) {
    if (refuted_) return true;
    make_room(clause);
    const std::size_t before = trail_.size();
    bool contradiction = false;
    for (const Literal literal : clause) {
        if (is_true(literal)) contradiction = true;
        if (values_[literal] == 0) assign(negation(literal));
    }
    contradiction = contradiction || !propagate();
    for (; trail_.size() > before; trail_.pop_back()) {
        values_[trail_.back()] = values_[negation(trail_.back())] = 0;
    }
    propagated_ = before;
    return contradiction;
}

void UnitPropagation::assign(Literal literal) {
    values_[literal] = 1;
    values_[negation(literal)] = -1;
    trail_.push_back(literal);
}

// Make true whatever clauses make true; false if all literals of some clause are false.
bool UnitPropagation::propagate() {
    while (propagated_ < trail_.size()) {
        const Literal fallen = negation(trail_[propagated_++]);
        std::vector<Watch>& watching = watches_[fallen];
        worked(watching.size() + 1);
        auto kept = watching.begin();
        for (auto one = watching.begin(); one != watching.end(); ++one) {
            if (is_true(one->other)) {
                *kept++ = *one;
                continue;
            }
            const Place place = one->place;
            if (is_removed(place)) continue;
            const std::span<Literal> literals = literals_at(place);
            if (literals[0] == fallen) std::swap(literals[0], literals[1]);
            if (!is_true(literals[0])) {
                const auto other = std::find_if(literals.begin() + 2, literals.end(),
                                                [&](Literal literal) { return !is_false(literal); });
                if (other != literals.end()) {
                    std::swap(literals[1], *other);
                    watches_[literals[1]].push_back({place, literals[0]});
                    continue;
                }
                if (is_false(literals[0])) {
                    watching.erase(kept, one);
                    return false;
                }
                assign(literals[0]);
            }
            *kept++ = {place, literals[0]};
        }
        watching.erase(kept, watching.end());
    }
    return true;
}

void UnitPropagation::make_room(const Clause& clause) {
    if (clause.empty() || clause.back() < values_.size()) return;
    values_.resize((clause.back() | 1) + 1);
    watches_.resize(values_.size());
}

void UnitPropagation::watch(Place place) {
    const std::span<const Literal> literals = literals_at(place);
    watches_[literals[0]].push_back({place, literals[1]});
    watches_[literals[1]].push_back({place, literals[0]});
}

// Move the clauses that are left together. The first two literals of each stay the watched ones.
void UnitPropagation::drop_removed() {
    for (std::vector<Watch>& watching : watches_) watching.clear();
    places_.clear();
    Place to = 0;
    for (Place from = 0, next = 0; from < kept_.size(); from = next) {
        next = from + length_at(from) + 1;
        if (is_removed(from)) continue;
        std::move(kept_.begin() + static_cast<std::ptrdiff_t>(from), kept_.begin() + static_cast<std::ptrdiff_t>(next),
                  kept_.begin() + static_cast<std::ptrdiff_t>(to));
        places_.emplace(hash_of(literals_at(to)), to);
        watch(to);
        to += next - from;
    }
    kept_.resize(to);
    wasted_ = 0;
}

}  // namespace synth
