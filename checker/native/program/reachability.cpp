#include "program/reachability.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t state_by_hash = 50;  // steps of work

// The digits of a state's number, taken apart and put together again.
class Numbering {
public:
    Numbering(const Program& program, int locations, int values) : values_(values) {
        std::int64_t weight = 1;
        const auto next = [&](int base) {
            const std::int64_t digit = weight;
            if (weight > std::numeric_limits<std::int64_t>::max() / base) throw LimitFault("the program has too many possible states for 64-bit numbers");
            weight *= base;
            return digit;
        };
        for (int l = 0; l < locations; ++l) locations_.push_back(next(values));
        for (int t = 0; t < program.threads(); ++t) threads_.push_back(next(program.size(t) + 1));
    }

    int value(std::int64_t state, int loc) const {
        return static_cast<int>(state / locations_[static_cast<std::size_t>(loc)] % values_);
    }
    int pc(const Program& program, std::int64_t state, int t) const {
        return static_cast<int>(state / threads_[static_cast<std::size_t>(t)] % (program.size(t) + 1));
    }
    std::int64_t location_weight(int loc) const { return locations_[static_cast<std::size_t>(loc)]; }
    std::int64_t thread_weight(int t) const { return threads_[static_cast<std::size_t>(t)]; }

private:
    int values_;
    std::vector<std::int64_t> locations_, threads_;
};

}  // namespace

Reachability reachable_states(const Program& program, int locations, int values) {
    if (program.locations() > locations || program.values() > values) {
        throw InputFault("the program uses more than " + std::to_string(locations) + " locations or " +
                         std::to_string(values) + " values");
    }
    const Numbering numbering(program, locations, values);
    std::vector<std::int64_t> order{0};
    std::unordered_map<std::int64_t, int> number{{0, 0}};
    std::vector<std::vector<int>> predecessors(1);
    std::vector<int> ended;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::int64_t state = order[at];
        worked(state_by_hash);
        bool live = false;
        for (int t = 0; t < program.threads(); ++t) {
            const int pc = numbering.pc(program, state, t);
            if (pc == program.size(t)) continue;
            live = true;
            const Instruction& i = program[program.first(t) + pc];
            const int value = numbering.value(state, i.loc);
            const int after = i.writes() ? i.exch : value;
            const int next_pc = value == i.check ? i.target : pc + 1;
            const std::int64_t next = state + (after - value) * numbering.location_weight(i.loc) +
                                      (next_pc - pc) * numbering.thread_weight(t);
            const auto [found, is_new] = number.try_emplace(next, static_cast<int>(order.size()));
            if (is_new) {
                order.push_back(next);
                predecessors.emplace_back();
            }
            predecessors[static_cast<std::size_t>(found->second)].push_back(static_cast<int>(at));
        }
        if (!live) ended.push_back(static_cast<int>(at));
    }
    std::vector<char> can_end(order.size(), 0);
    for (const int at : ended) can_end[static_cast<std::size_t>(at)] = 1;
    while (!ended.empty()) {
        const int at = ended.back();
        ended.pop_back();
        for (const int before : predecessors[static_cast<std::size_t>(at)]) {
            if (can_end[static_cast<std::size_t>(before)]) continue;
            can_end[static_cast<std::size_t>(before)] = 1;
            ended.push_back(before);
        }
    }
    Reachability found;
    for (std::size_t at = 0; at < order.size(); ++at) {
        if (!can_end[at]) found.trapped.push_back(order[at]);
    }
    found.states = std::move(order);
    std::ranges::sort(found.states);
    std::ranges::sort(found.trapped);
    return found;
}

}  // namespace synth
