#include "lazy/refutation.hpp"

#include <algorithm>
#include <utility>

#include "program/rules.hpp"

namespace synth {

namespace {

constexpr auto at = SplitStates::at;

}  // namespace

Refutation::Refutation(const SplitStates& states, OutcomeLiterals literals, std::uint32_t without)
    : states_(states), partial_(states, std::move(literals)), without_(without), marked_(at(states.count())) {}

// All states that the program at hand reaches.
void Refutation::grow_whole() {
    partial_.know_all();
    partial_.grow_possibly(0);
    is_whole_ = true;
}

const std::vector<std::vector<int>>& Refutation::clauses(const Program& program) {
    partial_.take(program);
    clauses_.clear();
    grow_whole();

    if (const int trapped = trapped_state(); trapped >= 0) {
        const std::vector<std::size_t> path = partial_.path_to(trapped);
        refute(trapped, path, 0, [&] {
            return std::ranges::none_of(partial_.reached().order(), [&](int state) { return states_.terminated(state); });
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
                return std::ranges::all_of(partial_.reached().order(), [&](int state) {
                    if (states_.place(state, thread) != place) return true;
                    const int memory = states_.memory(state);
                    const std::size_t part = partial_.part(place, memory);
                    return property(partial_.known(part), partial_.outcome(part), memory);
                });
            };
        };
        const std::size_t before = clauses_.size();
        whole(0, always([](std::uint8_t, const Outcome&, int) { return false; }));
        if (clauses_.size() > before) continue;  // it is not executed: there is no more to say
        if (program[place].is_branch(following - 1) && !(without_ & all_branches)) {
            whole(partial_.literals().branches[p], always([=](std::uint8_t known, const Outcome& outcome, int) {
                      return (known & PartialProgram::jump) && outcome.pc == following;
                  }));
            whole(partial_.literals().branches[p], always([=](std::uint8_t known, const Outcome& outcome, int) {
                      return (known & PartialProgram::jump) && outcome.pc != following;
                  }));
        }
        if (program[place].writes() && !(without_ & effective_stores)) {
            whole(partial_.literals().writes[p], always([](std::uint8_t known, const Outcome& outcome, int memory) {
                      return (known & PartialProgram::effect) && outcome.memory == memory;
                  }));
        }
    }
    return clauses_;
}

// Add the clause of a reason for what holds of all that is reached from a state.
template <class Argument>
void Refutation::refute(int start, const std::vector<std::size_t>& given, int condition, Argument holds) {
    is_whole_ = false;
    clauses_.push_back(partial_.reason([&] { partial_.grow_possibly(start); }, given, condition, holds));
}

// The first reached state from which no terminated one is reached; -1 if there is none.
int Refutation::trapped_state() {
    const std::vector<int>& order = partial_.reached().order();
    for (const int state : order) marked_[at(state)] = states_.terminated(state);
    for (bool grows = true; grows;) {
        grows = false;
        for (auto state = order.rbegin(); state != order.rend(); ++state) {
            if (marked_[at(*state)]) continue;
            bool ends = false;
            partial_.possible_steps(*state, [&](int next, int) { ends = ends || marked_[at(next)]; });
            marked_[at(*state)] = ends;
            grows = grows || ends;
        }
    }
    const auto found = std::ranges::find_if(order, [&](int state) { return !marked_[at(state)]; });
    return found == order.end() ? -1 : *found;
}

// Whether no reached state may be reached from itself.
bool Refutation::acyclic() {
    const std::vector<int>& order = partial_.reached().order();
    for (const int state : order) marked_[at(state)] = 0;
    std::size_t left = order.size();
    for (bool grows = true; grows;) {
        grows = false;
        for (auto state = order.rbegin(); state != order.rend(); ++state) {
            if (marked_[at(*state)]) continue;
            bool last = true;  // all steps lead to states that lead to no cycle
            partial_.possible_steps(*state, [&](int next, int) { last = last && marked_[at(next)]; });
            marked_[at(*state)] = last;
            grows = grows || last;
            left -= last;
        }
    }
    return left == 0;
}

}  // namespace synth
