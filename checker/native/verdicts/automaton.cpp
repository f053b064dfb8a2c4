#include "verdicts/automaton.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "transitions/components.hpp"
#include "work/faults.hpp"

namespace synth {

void Automaton::check() const {
    const auto written = [](std::size_t number) { return std::to_string(number); };
    if (steps.empty() || ends.size() != steps.size() || fair.size() != steps.size()) {
        throw InputFault("automaton: found tables for " + written(steps.size()) + ", " + written(ends.size()) + " and " +
                         written(fair.size()) + " states, expected as many");
    }
    if (threads < 0 || threads >= max_table_threads) {
        throw LimitFault("automaton: found " + std::to_string(threads) + " threads, expected fewer than " +
                         std::to_string(max_table_threads));
    }
    for (const auto* table : {&steps, &ends}) {
        for (const std::vector<int>& row : *table) {
            const auto is_there = [this](int state) { return state >= 0 && state < states(); };
            if (row.size() != static_cast<std::size_t>(threads) || !std::ranges::all_of(row, is_there)) {
                throw InputFault("automaton: expected " + std::to_string(threads) + " successors below " +
                                 std::to_string(states()) + " of each state");
            }
        }
    }
    for (const std::vector<ThreadSet>& row : fair) {
        bool is_inside = row.size() == std::size_t{1} << threads;
        for (std::size_t live = 0; is_inside && live < row.size(); ++live) is_inside = (row[live] & ~live) == 0;
        if (!is_inside) {
            throw InputFault("automaton: expected a fair set inside the live threads for each of " +
                             written(std::size_t{1} << threads) + " live sets");
        }
    }
}

bool remembers_only_history(const Automaton& automaton) {
    Components components;
    const ThreadSet everyone = (ThreadSet{1} << automaton.threads) - 1;
    components.find(automaton.states(), [=](int) { return everyone; }, [&](int state, int t) {
        return automaton.steps[static_cast<std::size_t>(state)][static_cast<std::size_t>(t)];
    });
    return components.count() == automaton.states();
}

std::optional<JointAutomaton> side_by_side(const std::vector<Automaton>& automata, int threads, int most) {
    JointAutomaton joint;
    std::map<std::vector<int>, int> number;
    const auto numbered = [&](const std::vector<int>& states) {
        const auto [at, is_new] = number.try_emplace(states, joint.states());
        if (is_new) joint.state_of.push_back(states);
        return at->second;
    };
    numbered(std::vector<int>(automata.size(), 0));
    for (std::size_t q = 0; q < joint.state_of.size(); ++q) {
        const std::vector<int> states = joint.state_of[q];
        std::vector<int> step_row, end_row;
        for (std::size_t t = 0; t < static_cast<std::size_t>(threads); ++t) {
            std::vector<int> stepped, ended;
            for (std::size_t k = 0; k < automata.size(); ++k) {
                const auto state = static_cast<std::size_t>(states[k]);
                stepped.push_back(automata[k].steps[state][t]);
                ended.push_back(automata[k].ends[state][t]);
            }
            step_row.push_back(numbered(stepped));
            end_row.push_back(numbered(ended));
        }
        if (joint.states() > most) return std::nullopt;
        joint.steps.push_back(step_row);
        joint.ends.push_back(end_row);
    }
    return joint;
}

}  // namespace synth
