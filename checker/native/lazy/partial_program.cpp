#include "lazy/partial_program.hpp"

#include <utility>

namespace synth {

namespace {

constexpr auto at = SplitStates::at;

}  // namespace

PartialProgram::PartialProgram(const SplitStates& states, OutcomeLiterals literals)
    : states_(states), literals_(std::move(literals)), reached_(states.count()), parents_(at(states.count())) {
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

void PartialProgram::take(const Program& program) {
    states_.check(program);
    for (std::size_t p = 0; p < states_.places().size(); ++p) {
        const int place = static_cast<int>(p);
        for (int memory = 0; memory < states_.memories(); ++memory) {
            outcomes_[part(place, memory)] = states_.outcome(program[place], states_.places()[p].pc, memory);
        }
    }
    know_all();
}

std::vector<std::size_t> PartialProgram::path_to(int state) const {
    std::vector<std::size_t> path;
    while (state != 0) {
        const Parent& parent = parents_[at(state)];
        path.push_back(part(parent.place, states_.memory(parent.state)));
        state = parent.state;
    }
    return path;
}

// What is known of all that is executed or given is not all so at once.
std::vector<int> PartialProgram::clause_of(const std::vector<std::size_t>& given, int condition) const {
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
    return clause;
}

}  // namespace synth
