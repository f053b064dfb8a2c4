// The states of a program by the plainest search, straight from section 1 of the definitions: the measure of the core's
// two. Its own step function; shares only the program itself.
#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "check.hpp"

namespace testing {

struct PlainState {
    std::vector<int> memory, pcs;
    auto operator<=>(const PlainState&) const = default;
};

struct PlainLts {
    static constexpr int none = -1;

    explicit PlainLts(const synth::Program& program)
        : executed(at(program.size())), taken(at(program.size())), not_taken(at(program.size())), changed(at(program.size())) {
        const int threads = program.threads();
        number({std::vector<int>(36, 0), std::vector<int>(at(threads), 0)});
        for (std::size_t from = 0; from < states.size(); ++from) {
            std::vector<int> row;
            for (int t = 0; t < threads; ++t) {
                PlainState state = states[from];
                int& pc = state.pcs[at(t)];
                if (pc == program.size(t)) {
                    row.push_back(none);
                    continue;
                }
                const int place = program.first(t) + pc;
                const synth::Instruction i = program[place];
                int& value = state.memory[at(i.loc)];
                const bool is_taken = value == i.check;
                executed[at(place)] = true;
                (is_taken ? taken : not_taken)[at(place)] = true;
                if (i.exch >= 0) {
                    if (value != i.exch) changed[at(place)] = true;
                    value = i.exch;
                }
                pc = is_taken ? i.target : pc + 1;
                row.push_back(number(state));
            }
            next.push_back(row);
        }
    }

    int size() const { return static_cast<int>(states.size()); }

    // Which states are reached from each by at least one step.
    std::vector<std::vector<bool>> reach() const {
        std::vector<std::vector<bool>> found(at(size()), std::vector<bool>(at(size())));
        for (int from = 0; from < size(); ++from) {
            std::vector<int> todo{from};
            while (!todo.empty()) {
                const int state = todo.back();
                todo.pop_back();
                for (const int to : next[at(state)]) {
                    if (to == none || found[at(from)][at(to)]) continue;
                    found[at(from)][at(to)] = true;
                    todo.push_back(to);
                }
            }
        }
        return found;
    }

    bool has_ended(int state) const {
        for (const int to : next[at(state)]) {
            if (to != none) return false;
        }
        return true;
    }

    std::vector<PlainState> states;
    std::vector<std::vector<int>> next;  // [state][thread]; none for a terminated thread
    std::vector<bool> executed, taken, not_taken, changed;  // [place of the instruction]

private:
    int number(const PlainState& state) {
        const auto [found, is_new] = numbers_.try_emplace(state, size());
        if (is_new) states.push_back(state);
        return found->second;
    }

    std::map<PlainState, int> numbers_;
};

}  // namespace testing
