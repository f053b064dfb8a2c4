#include "verdicts/automaton.hpp"

#include <map>

#include "transitions/components.hpp"

namespace synth {

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
