#include "lazy/completion.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "program/normal.hpp"
#include "program/rules.hpp"

namespace synth {

namespace {

constexpr auto at = SplitStates::at;

constexpr std::uint64_t bit(int place) { return std::uint64_t{1} << place; }

}  // namespace

Completion::Completion(const SplitStates& states, std::vector<int> open, std::uint32_t without)
    : states_(states),
      open_(std::move(open)),
      without_(without),
      candidates_(states.places().size()),
      program_(states.places().size()),
      outcomes_(states.places().size(), std::vector<Outcome>(at(states.memories()))),
      reached_(states.count()),
      marked_(at(states.count())) {
    for (const int place : open_) {
        if (place < 0 || at(place) >= states.places().size()) throw InputFault("found an open place outside the split");
        candidates_[at(place)] = candidates(place);
    }
}

// Whatever can stand at a place in a normal form.
std::vector<Completion::Candidate> Completion::candidates(int place) const {
    const SplitStates::Place& where = states_.places()[at(place)];
    std::vector<Candidate> found;
    for (int loc = 0; loc < states_.locations(); ++loc) {
        for (int check = 0; check < states_.values(); ++check) {
            for (int exch = no_exchange; exch < states_.values(); ++exch) {
                for (int target = 0; target <= where.end; ++target) {
                    const Instruction i{static_cast<std::int8_t>(loc), static_cast<std::int8_t>(check),
                                        static_cast<std::int8_t>(exch), static_cast<std::int8_t>(target)};
                    const bool is_no_op = !i.is_branch(where.pc) && !i.writes();
                    const bool is_other_store = !i.is_branch(where.pc) && check != 0 && !(without_ & meaningful_comparisons);
                    if (is_no_op || is_other_store) continue;
                    Candidate& candidate = found.emplace_back(i, std::vector<Outcome>{});
                    for (int memory = 0; memory < states_.memories(); ++memory) {
                        candidate.outcomes.push_back(states_.outcome(i, where.pc, memory));
                    }
                }
            }
        }
    }
    return found;
}

std::vector<std::string> Completion::complete(const Program& skeleton) {
    states_.check(skeleton);
    ids_.clear();
    Places left = 0;
    for (const int place : open_) left |= bit(place);
    for (int place = 0; place < static_cast<int>(program_.size()); ++place) {
        program_[at(place)] = skeleton[place];
        if (left & bit(place)) continue;
        for (int memory = 0; memory < states_.memories(); ++memory) {
            outcomes_[at(place)][at(memory)] = states_.outcome(skeleton[place], states_.places()[at(place)].pc, memory);
        }
    }
    reached_.clear();
    reached_.add(0);
    Seen seen;
    grow(0, left, seen);
    fill_in(left, seen);
    return std::move(ids_);
}

// Try all that can stand at an open place which some execution has come to, and go on with the others.
void Completion::fill_in(Places left, Seen seen) {
    if (left == 0) {
        if (is_test(seen)) {
            Program program;
            std::size_t next = 0;
            for (int thread = 0; thread < states_.threads(); ++thread) {
                program.append_thread(std::span(program_).subspan(next, at(states_.size(thread))));
                next += at(states_.size(thread));
            }
            std::string id = program.id();
            if (normal_form(program, (without_ & meaningful_comparisons) != 0).id() == id) ids_.push_back(std::move(id));
        }
        return;
    }
    const Places waiting = seen.executed & left;
    if (waiting == 0) return;
    const int place = std::countr_zero(waiting);
    const std::size_t size = reached_.size();
    for (const Candidate& candidate : candidates_[at(place)]) {
        program_[at(place)] = candidate.instruction;
        outcomes_[at(place)] = candidate.outcomes;
        Seen now = seen;
        for (std::size_t k = 0; k < size; ++k) {
            const int state = reached_[k];
            if (states_.place(state, states_.places()[at(place)].thread) == place) step(state, place, now);
        }
        grow(size, left & ~bit(place), now);
        fill_in(left & ~bit(place), now);
        reached_.shrink(size);
    }
}

// Follow all steps of the reached states from a certain one on, but none of the open places.
void Completion::grow(std::size_t from, Places left, Seen& seen) {
    for (std::size_t k = from; k < reached_.size(); ++k) {
        const int state = reached_[k];
        for (int thread = 0; thread < states_.threads(); ++thread) {
            const int place = states_.place(state, thread);
            if (place < 0) continue;
            seen.executed |= bit(place);
            if (!(left & bit(place))) step(state, place, seen);
        }
    }
}

void Completion::step(int state, int place, Seen& seen) {
    const int memory = states_.memory(state);
    const Outcome& outcome = outcomes_[at(place)][at(memory)];
    const Instruction& instruction = program_[at(place)];
    reached_.add(states_.after(state, place, outcome));
    (states_.value(memory, instruction.loc) == instruction.check ? seen.taken : seen.fell) |= bit(place);
    if (outcome.memory != memory) seen.changed |= bit(place);
}

bool Completion::is_test(const Seen& seen) {
    for (std::size_t p = 0; p < program_.size(); ++p) {
        const Places here = bit(static_cast<int>(p));
        const Instruction& i = program_[p];
        if (!(seen.executed & here)) return false;
        if (i.is_branch(states_.places()[p].pc) && !(seen.taken & seen.fell & here) && !(without_ & all_branches)) return false;
        if (i.writes() && !(seen.changed & here) && !(without_ & effective_stores)) return false;
    }
    return ((without_ & inter_thread_influence) || influences()) && always_can_end() && has_cycle();
}

// Every exchange has, in another thread, a branch on its location; every branch, in another thread, anything on it.
bool Completion::influences() const {
    const auto elsewhere = [&](std::size_t p, bool branch) {
        for (std::size_t q = 0; q < program_.size(); ++q) {
            if (states_.places()[q].thread != states_.places()[p].thread && program_[q].loc == program_[p].loc &&
                (!branch || program_[q].is_branch(states_.places()[q].pc))) {
                return true;
            }
        }
        return false;
    };
    for (std::size_t p = 0; p < program_.size(); ++p) {
        if (program_[p].writes() && !elsewhere(p, true)) return false;
        if (program_[p].is_branch(states_.places()[p].pc) && !elsewhere(p, false)) return false;
    }
    return true;
}

// Mark every reached state that `keep` says of, which looks at the marks of its successors, until no more come; gives
// how many are marked then.
template <class Keep>
std::size_t Completion::spread(std::size_t marked, Keep keep) {
    const std::vector<int>& order = reached_.order();
    for (bool grows = true; grows;) {
        grows = false;
        for (auto state = order.rbegin(); state != order.rend(); ++state) {
            if (marked_[at(*state)]) continue;
            bool some = false, all = true;
            for (int thread = 0; thread < states_.threads(); ++thread) {
                const int place = states_.place(*state, thread);
                if (place < 0) continue;
                const Outcome& outcome = outcomes_[at(place)][at(states_.memory(*state))];
                const bool is_marked = marked_[at(states_.after(*state, place, outcome))] != 0;
                some = some || is_marked;
                all = all && is_marked;
            }
            if (!keep(some, all)) continue;
            marked_[at(*state)] = 1;
            ++marked;
            grows = true;
        }
    }
    return marked;
}

bool Completion::always_can_end() {
    std::size_t ended = 0;
    for (const int state : reached_.order()) ended += at(marked_[at(state)] = states_.terminated(state));
    return spread(ended, [](bool some, bool) { return some; }) == reached_.size();
}

bool Completion::has_cycle() {
    for (const int state : reached_.order()) marked_[at(state)] = 0;
    return spread(0, [](bool, bool all) { return all; }) < reached_.size();
}

}  // namespace synth
