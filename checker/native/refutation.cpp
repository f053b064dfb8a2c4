#include "refutation.hpp"

#include <algorithm>
#include <utility>

#include "rules.hpp"

namespace synth {

namespace {

constexpr auto at = SplitStates::at;

}  // namespace

Refutation::Refutation(const SplitStates& states, OutcomeLiterals literals, std::uint32_t without)
    : states_(states),
      literals_(std::move(literals)),
      without_(without),
      reached_(states.count()),
      parents_(at(states.count())),
      marked_(at(states.count())) {
    for (int memory = 0; memory < states.memories(); ++memory) {
        std::vector<int>& after = any_write_.emplace_back(1, memory);
        for (int loc = 0; loc < states.locations(); ++loc) {
            for (int value = 0; value < states.values(); ++value) {
                if (value != states.value(memory, loc)) after.push_back(states.written(memory, loc, value));
            }
        }
    }
    outcomes_.resize(states.places().size() * at(states.memories()));
    known_.resize(outcomes_.size());
    const auto longest = std::ranges::max_element(states.places(), {}, &SplitStates::Place::end);
    pcs_ = longest == states.places().end() ? 1 : longest->end + 1;
    if (literals_.effects.size() != known_.size() * at(states.memories()) || literals_.jumps.size() != known_.size() * at(pcs_) ||
        literals_.branches.size() != states.places().size() || literals_.writes.size() != states.places().size()) {
        throw InputFault("found tables of literals that are not those of the split");
    }
}

// Every state that one step may lead to, with the place of the step, if no more is known of the program.
template <class Visit>
void Refutation::successors(int state, Visit visit) const {
    const int memory = states_.memory(state);
    for (int thread = 0; thread < states_.threads(); ++thread) {
        const int place = states_.place(state, thread);
        if (place < 0) continue;
        const Outcome& outcome = outcomes_[part(place, memory)];
        const std::uint8_t known = known_[part(place, memory)];
        const auto jumps = [&](int after) {
            if (known & jump) {
                visit(states_.after(state, place, {after, outcome.pc}), place);
            } else {
                for (int pc = 0; pc <= states_.size(thread); ++pc) visit(states_.after(state, place, {after, pc}), place);
            }
        };
        if (known & effect) {
            jumps(outcome.memory);
        } else {
            for (const int after : any_write_[at(memory)]) jumps(after);
        }
    }
}

// All states that the program at hand reaches.
void Refutation::grow_whole() {
    std::ranges::fill(known_, both);
    grow_from(0);
    is_whole_ = true;
}

// What is executed in some reached state, again and again.
template <class Visit>
void Refutation::executed_parts(Visit visit) const {
    for (const int state : reached_.order()) {
        for (int thread = 0; thread < states_.threads(); ++thread) {
            const int place = states_.place(state, thread);
            if (place >= 0) visit(part(place, states_.memory(state)));
        }
    }
}

// All states that may be reached from one, with the step that first led to each.
void Refutation::grow_from(int start) {
    reached_.clear();
    reached_.add(start);
    for (std::size_t k = 0; k < reached_.size(); ++k) {
        const int state = reached_[k];
        successors(state, [&](int next, int place) {
            if (!reached_.has(next)) parents_[at(next)] = {state, place};
            reached_.add(next);
        });
    }
}

const std::vector<std::vector<int>>& Refutation::clauses(const Program& program) {
    states_.check(program);
    clauses_.clear();
    for (std::size_t p = 0; p < states_.places().size(); ++p) {
        const int place = static_cast<int>(p);
        for (int memory = 0; memory < states_.memories(); ++memory) {
            outcomes_[part(place, memory)] = states_.outcome(program[place], states_.places()[p].pc, memory);
        }
    }
    grow_whole();

    if (const int trapped = trapped_state(); trapped >= 0) {
        const std::vector<std::size_t> path = path_to(trapped);
        refute(trapped, path, 0, [&] {
            return std::ranges::none_of(reached_.order(), [&](int state) { return states_.terminated(state); });
        });
    }
    const auto whole = [&](int condition, auto holds) {
        if (!is_whole_) grow_whole();
        if (holds()) refute(0, {}, condition, holds);
    };
    whole(0, [&] { return acyclic(); });
    for (std::size_t p = 0; p < states_.places().size(); ++p) {
        const int place = static_cast<int>(p);
        const int following = states_.places()[p].pc + 1;
        const int thread = states_.places()[p].thread;
        // Whether all executions of the instruction that may be have, for certain, this property.
        const auto always = [&, place, thread](auto property) {
            return [&, place, thread, property] {
                return std::ranges::all_of(reached_.order(), [&](int state) {
                    if (states_.place(state, thread) != place) return true;
                    const int memory = states_.memory(state);
                    return property(known_[part(place, memory)], outcomes_[part(place, memory)], memory);
                });
            };
        };
        const std::size_t before = clauses_.size();
        whole(0, always([](std::uint8_t, const Outcome&, int) { return false; }));
        if (clauses_.size() > before) continue;  // it is not executed: there is no more to say
        if (program[place].is_branch(following - 1) && !(without_ & all_branches)) {
            whole(literals_.branches[p], always([=](std::uint8_t known, const Outcome& outcome, int) {
                      return (known & jump) && outcome.pc == following;
                  }));
            whole(literals_.branches[p], always([=](std::uint8_t known, const Outcome& outcome, int) {
                      return (known & jump) && outcome.pc != following;
                  }));
        }
        if (program[place].writes() && !(without_ & effective_stores)) {
            whole(literals_.writes[p], always([](std::uint8_t known, const Outcome& outcome, int memory) {
                      return (known & effect) && outcome.memory == memory;
                  }));
        }
    }
    return clauses_;
}

// Make the reason for what holds of all that is reached from a state as small as leaving out makes it, and add its
// clause. What is `given` stays part of it.
template <class Argument>
void Refutation::refute(int start, const std::vector<std::size_t>& given, int condition, Argument holds) {
    grow_from(start);
    is_whole_ = false;
    std::ranges::fill(known_, nothing);
    std::vector<std::size_t> parts;
    executed_parts([&](std::size_t where) {
        if (known_[where] == nothing) parts.push_back(where);
        known_[where] = both;
    });
    for (const std::size_t where : given) known_[where] = both;
    for (auto where = parts.rbegin(); where != parts.rend(); ++where) {
        if (std::ranges::find(given, *where) != given.end()) continue;
        for (const Known one : {effect, jump}) {
            known_[*where] &= static_cast<std::uint8_t>(~one);
            grow_from(start);
            if (!holds()) known_[*where] |= one;
        }
    }
    grow_from(start);
    std::vector<char> used(known_.size(), 0);
    executed_parts([&](std::size_t where) { used[where] = 1; });
    for (const std::size_t where : given) used[where] = 1;
    const int memories = states_.memories();
    std::vector<int> clause;
    if (condition != 0) clause.push_back(-condition);
    for (std::size_t where = 0; where < known_.size(); ++where) {
        if (!used[where]) continue;
        const Outcome& outcome = outcomes_[where];
        if (known_[where] & effect) clause.push_back(-literals_.effects[where * at(memories) + at(outcome.memory)]);
        if (known_[where] & jump) clause.push_back(-literals_.jumps[where * at(pcs_) + at(outcome.pc)]);
    }
    std::ranges::sort(clause);
    clause.erase(std::ranges::unique(clause).begin(), clause.end());
    clauses_.push_back(std::move(clause));
}

// The first reached state from which no terminated one is reached; -1 if there is none.
int Refutation::trapped_state() {
    const std::vector<int>& order = reached_.order();
    for (const int state : order) marked_[at(state)] = states_.terminated(state);
    for (bool grows = true; grows;) {
        grows = false;
        for (auto state = order.rbegin(); state != order.rend(); ++state) {
            if (marked_[at(*state)]) continue;
            bool ends = false;
            successors(*state, [&](int next, int) { ends = ends || marked_[at(next)]; });
            marked_[at(*state)] = ends;
            grows = grows || ends;
        }
    }
    const auto found = std::ranges::find_if(order, [&](int state) { return !marked_[at(state)]; });
    return found == order.end() ? -1 : *found;
}

// What is done on the way to a reached state.
std::vector<std::size_t> Refutation::path_to(int state) const {
    std::vector<std::size_t> path;
    while (state != 0) {
        const Parent& parent = parents_[at(state)];
        path.push_back(part(parent.place, states_.memory(parent.state)));
        state = parent.state;
    }
    return path;
}

// Whether no reached state may be reached from itself.
bool Refutation::acyclic() {
    const std::vector<int>& order = reached_.order();
    for (const int state : order) marked_[at(state)] = 0;
    std::size_t left = order.size();
    for (bool grows = true; grows;) {
        grows = false;
        for (auto state = order.rbegin(); state != order.rend(); ++state) {
            if (marked_[at(*state)]) continue;
            bool last = true;  // all steps lead to states that lead to no cycle
            successors(*state, [&](int next, int) { last = last && marked_[at(next)]; });
            marked_[at(*state)] = last;
            grows = grows || last;
            left -= last;
        }
    }
    return left == 0;
}

}  // namespace synth
