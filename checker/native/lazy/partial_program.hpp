// A partly known program, and reasons: small parts of a program from which something follows, whatever the rest is.
// Refutation by rules and refutation by verdicts both use this.
//
// A part of a program is what one instruction does in one memory: an effect and a jump, each with a literal. A part that
// is not known may do anything, so a step may lead to several states. To find a reason, parts are left out one after the
// other while the argument still holds. The reason becomes a clause whose literals are all false for the given program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lazy/split_states.hpp"
#include "program/program.hpp"

namespace synth {

// The literals for what instructions do. The tables are row-major; 0 stands for what cannot happen.
struct OutcomeLiterals {
    std::vector<int> effects;   // [place][memory][memory after]
    std::vector<int> jumps;     // [place][memory][pc after], as wide as the longest thread has pcs
    std::vector<int> branches;  // [place]: it is a branch
    std::vector<int> writes;    // [place]: it has an exchange
};

class PartialProgram {
public:
    enum Known : std::uint8_t { nothing = 0, effect = 1, jump = 2, both = 3 };

    // Throws InputFault if a table does not have the length that the split needs.
    PartialProgram(const SplitStates& states, OutcomeLiterals literals);

    // Take a program, all of which is then known. Throws InputFault if it belongs to another split.
    void take(const Program& program);
    void know_all() { std::ranges::fill(known_, both); }

    const SplitStates& states() const { return states_; }
    const OutcomeLiterals& literals() const { return literals_; }
    std::size_t part(int place, int memory) const { return SplitStates::at(place * states_.memories() + memory); }
    std::uint8_t known(std::size_t part) const { return known_[part]; }
    const Outcome& outcome(std::size_t part) const { return outcomes_[part]; }

    // Visit every state to which one step may lead according to the known parts, with the place of the step.
    template <class Visit>
    void possible_steps(int state, Visit visit) const;
    // Visit every state to which one step certainly leads, whatever the unknown parts do, with the place of the step.
    template <class Visit>
    void certain_steps(int state, Visit visit) const;

    // Find all states that may be reached from a state, or that certainly are, each with the step that first led to it.
    void grow_possibly(int start) {
        grow(start, [this](int state, auto visit) { possible_steps(state, visit); });
    }
    void grow_certainly(int start) {
        grow(start, [this](int state, auto visit) { certain_steps(state, visit); });
    }
    const GrowingSet& reached() const { return reached_; }
    // The parts that are executed on the way to a reached state.
    std::vector<std::size_t> path_to(int state) const;

    // Return the clause of a small reason for a property (`holds`) of the states that `grow` reaches. The parts in `given`
    // and the condition, a literal or 0, stay in the reason. All parts must be known; afterwards only the reason is.
    template <class Grow, class Holds>
    std::vector<int> reason(Grow grow, const std::vector<std::size_t>& given, int condition, Holds holds);

private:
    struct Parent {
        int state, place;
    };

    template <class Visit>
    void executed_parts(Visit visit) const;
    template <class Steps>
    void grow(int start, Steps steps);
    std::vector<int> clause_of(const std::vector<std::size_t>& given, int condition) const;

    const SplitStates& states_;
    OutcomeLiterals literals_;
    int pcs_;  // of the longest thread, its end included
    std::vector<std::vector<int>> any_write_;  // [memory]: all memories that one write can leave behind
    std::vector<Outcome> outcomes_;            // [place][memory], of the program at hand
    std::vector<std::uint8_t> known_;          // [place][memory]
    GrowingSet reached_;
    std::vector<Parent> parents_;
};

template <class Visit>
void PartialProgram::possible_steps(int state, Visit visit) const {
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
            for (const int after : any_write_[SplitStates::at(memory)]) jumps(after);
        }
    }
}

template <class Visit>
void PartialProgram::certain_steps(int state, Visit visit) const {
    for (int thread = 0; thread < states_.threads(); ++thread) {
        const int place = states_.place(state, thread);
        if (place < 0) continue;
        const std::size_t where = part(place, states_.memory(state));
        if (known_[where] == both) visit(states_.after(state, place, outcomes_[where]), place);
    }
}

// Visit the parts that are executed in reached states; a part may be visited several times.
template <class Visit>
void PartialProgram::executed_parts(Visit visit) const {
    for (const int state : reached_.order()) {
        for (int thread = 0; thread < states_.threads(); ++thread) {
            const int place = states_.place(state, thread);
            if (place >= 0) visit(part(place, states_.memory(state)));
        }
    }
}

template <class Steps>
void PartialProgram::grow(int start, Steps steps) {
    reached_.clear();
    reached_.add(start);
    for (std::size_t k = 0; k < reached_.size(); ++k) {
        const int state = reached_[k];
        steps(state, [&](int next, int place) {
            if (!reached_.has(next)) parents_[SplitStates::at(next)] = {state, place};
            reached_.add(next);
        });
    }
}

template <class Grow, class Holds>
std::vector<int> PartialProgram::reason(Grow grow, const std::vector<std::size_t>& given, int condition, Holds holds) {
    grow();
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
            grow();
            if (!holds()) known_[*where] |= one;
        }
    }
    grow();
    return clause_of(given, condition);
}

}  // namespace synth
