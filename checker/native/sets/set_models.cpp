#include "sets/set_models.hpp"

#include <algorithm>
#include <utility>

namespace synth {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::vector<int> in_rows(const std::vector<std::vector<int>>& table) {
    std::vector<int> rows;
    for (const auto& row : table) rows.insert(rows.end(), row.begin(), row.end());
    return rows;
}

// The states of automata, by depth-first search: a state comes before all that it leads to, unless those lead back to it.
struct StateOrder {
    explicit StateOrder(const JointAutomaton& joint) : places(at(joint.states()), unseen) {
        visit(joint, 0);
        std::ranges::reverse(states);
    }
    void visit(const JointAutomaton& joint, int state) {
        places[at(state)] = open;
        for (const auto* const next : {&joint.steps, &joint.ends}) {
            for (const int to : (*next)[at(state)]) {
                comes_back = comes_back || (to != state && places[at(to)] == open);
                if (places[at(to)] == unseen) visit(joint, to);
            }
        }
        places[at(state)] = done;
        states.push_back(state);
    }

    enum Place { unseen, open, done };
    std::vector<Place> places;
    std::vector<int> states;
    bool comes_back = false;
};

}  // namespace

// What the tables point to.
struct SetModels::Memory {
    Memory(const HistoryVerdicts& history, int of_threads)
        : threads(of_threads),
          order(history.joint()),
          steps(in_rows(history.joint().steps)),
          ends(in_rows(history.joint().ends)),
          recurrent(cases_of(history.weak())),
          closed(cases_of(history.strong())) {}

    std::vector<sets::Cases> cases_of(const HistoryVerdicts::Table& table) {
        const ThreadSet sets = ThreadSet{1} << threads;
        std::vector<sets::Cases> all(at(1 << (2 * threads)));
        for (ThreadSet live = 0; live < sets; ++live) {
            for (ThreadSet some = 1; some < sets; ++some) {
                std::vector<sets::Case> found;
                sets::Word any = 0;
                for (const int q : order.states) {
                    const sets::Word verdicts = table.of(HistoryVerdicts::States{1} << q, live, some);
                    if (verdicts != 0) found.push_back({q, verdicts});
                    any |= verdicts;
                }
                all[live << threads | some] = {found.data(), static_cast<int>(found.size()), any};
                cases.push_back(std::move(found));  // its memory stays where it is
            }
        }
        return all;
    }

    int threads;
    StateOrder order;
    std::vector<int> steps, ends;
    std::vector<std::vector<sets::Case>> cases;
    std::vector<sets::Cases> recurrent, closed;
};

SetModels::SetModels(const Judge& judge) {
    if (judge.history() != nullptr) add(judge);
}

SetModels::SetModels(const OrbitJudge& judge) {
    const auto has_history = [](const Judge& one) { return one.history() != nullptr; };
    if (judge.judges().size() > sets::max_models || !std::ranges::all_of(judge.judges(), has_history)) return;
    for (const Judge& one : judge.judges()) add(one);
}

void SetModels::add(const Judge& judge) {
    const HistoryVerdicts& history = *judge.history();
    const auto memory = std::make_shared<const Memory>(history, judge.threads());
    memory_.push_back(memory);
    tables_.push_back({history.joint().states(), memory->order.states.data(), memory->order.comes_back, memory->steps.data(),
                       memory->ends.data(), memory->recurrent.data(), memory->closed.data(), history.all()});
}

}  // namespace synth
