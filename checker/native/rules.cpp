#include "rules.hpp"

#include <array>

namespace synth {

namespace {

// From every reachable state a terminated state is reachable: every component that no edge leaves has terminated.
bool always_can_end(const Lts& lts) {
    for (int c = 0; c < lts.components(); ++c) {
        bool is_last = true;
        for (const int state : lts.members(c)) is_last = is_last && lts.live(state) == lts.inside(state);
        if (is_last && lts.live(lts.members(c).front()) != 0) return false;
    }
    return true;
}

// Every instruction with an exchange has, in another thread, a branch on the same location; every branch has, in
// another thread, any instruction on the same location.
bool influences(const Program& program) {
    constexpr ThreadSet none = 0;
    std::array<ThreadSet, 36> users{}, branchers{};  // per location: the threads with any instruction, with a branch
    for (int t = 0; t < program.threads(); ++t) {
        int pc = 0;
        for (const Instruction& i : program.thread(t)) {
            const auto loc = static_cast<std::size_t>(i.loc);
            users[loc] |= ThreadSet{1} << t;
            if (i.is_branch(pc++)) branchers[loc] |= ThreadSet{1} << t;
        }
    }
    for (int t = 0; t < program.threads(); ++t) {
        const ThreadSet others = ~(ThreadSet{1} << t);
        int pc = 0;
        for (const Instruction& i : program.thread(t)) {
            const auto loc = static_cast<std::size_t>(i.loc);
            if (i.writes() && (branchers[loc] & others) == none) return false;
            if (i.is_branch(pc++) && (users[loc] & others) == none) return false;
        }
    }
    return true;
}

}  // namespace

std::uint32_t RuleChecker::broken(const Program& program) {
    lts_.explore(program);

    std::uint32_t rules = 0;
    if (!always_can_end(lts_)) rules |= possible_termination;
    if (lts_.cyclic().empty()) rules |= non_termination_cycle;
    if (!influences(program)) rules |= inter_thread_influence;
    for (int t = 0; t < program.threads(); ++t) {
        for (int pc = 0; pc < program.size(t); ++pc) {
            const Instruction& i = program[program.first(t) + pc];
            const auto observed = lts_.observed(program.first(t) + pc);
            if (observed == 0) rules |= executed;
            if (i.is_branch(pc) && (observed & (taken | not_taken)) != (taken | not_taken)) rules |= all_branches;
            if (i.writes() && !(observed & changed_memory)) rules |= effective_stores;
            if (i.writes() && !i.is_branch(pc) && i.check != 0) rules |= meaningful_comparisons;
        }
    }
    return rules;
}

}  // namespace synth
