#include "transitions/table.hpp"

#include <string>

#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

constexpr int unseen = -1;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::string numbered(std::size_t state) { return "state " + std::to_string(state); }

// The live threads of each state.
std::vector<ThreadSet> checked_live_sets(const TransitionTable& table) {
    if (table.empty()) throw InputFault("found a transition system without a state, expected a start");
    const std::size_t threads = table.front().size();
    if (threads > at(Lts::max_threads)) {
        throw LimitFault("found a transition system of " + std::to_string(threads) + " threads, expected at most " +
                         std::to_string(Lts::max_threads));
    }
    std::vector<ThreadSet> live;
    for (const std::vector<int>& row : table) {
        if (row.size() != threads) {
            throw InputFault(numbered(live.size()) + ": found " + std::to_string(row.size()) + " successors, expected " +
                             std::to_string(threads));
        }
        ThreadSet here = 0;
        for (std::size_t t = 0; t < threads; ++t) {
            if (row[t] < ended || row[t] >= static_cast<int>(table.size())) {
                throw InputFault(numbered(live.size()) + ": found the successor " + std::to_string(row[t]) +
                                 ", expected a state below " + std::to_string(table.size()) + ", or -1");
            }
            here |= ThreadSet{row[t] != ended} << t;
        }
        live.push_back(here);
    }
    for (std::size_t state = 0; state < table.size(); ++state) {
        for (std::size_t t = 0; t < threads; ++t) {
            if (table[state][t] == ended) continue;
            const ThreadSet others = ~(ThreadSet{1} << t);
            if ((live[at(table[state][t])] & others) != (live[state] & others)) {
                throw InputFault(numbered(state) + ": found a step of thread " + std::to_string(t) +
                                 " that ends another thread or makes one live, expected that it ends none but its own");
            }
        }
    }
    return live;
}

}  // namespace

Lts lts_of(const TransitionTable& table) {
    const std::vector<ThreadSet> live = checked_live_sets(table);
    std::vector<int> number(table.size(), unseen);  // of a row's state in the Lts
    std::vector<int> row_of{0};
    number[0] = 0;
    Lts lts;
    lts.search(static_cast<int>(table.front().size()), live[0], [&](int state, int t) {
        const int row = table[at(row_of[at(state)])][at(t)];
        if (number[at(row)] == unseen) {
            worked(1);
            number[at(row)] = lts.meet(live[at(row)]);
            row_of.push_back(row);
        }
        return number[at(row)];
    });
    return lts;
}

}  // namespace synth
