#include "program/rules.hpp"

#include <array>
#include <cstddef>

#include "work/work.hpp"

namespace synth {

namespace {

// From every reachable state a terminated state is reachable: every component that no edge leaves has terminated.
bool always_can_end(const Lts& lts) {
    worked(static_cast<std::size_t>(lts.components()));
    for (int c = 0; c < lts.components(); ++c) {
        bool is_last = true;
        for (const int state : lts.members(c)) is_last = is_last && lts.live(state) == lts.inside(state);
        if (is_last && lts.live(lts.members(c).front()) != 0) return false;
    }
    return true;
}

using Locations = std::uint64_t;

Locations bit(int loc) { return Locations{1} << loc; }

// Every instruction before `open` with an exchange has, in another thread, a branch on the same location; every branch
// has, in another thread, any instruction on the same location.
bool influences(const Program& program, int open) {
    struct Used {
        Locations by_some = 0, by_two = 0;
        void add(Locations here) {
            by_two |= by_some & here;
            by_some |= here;
        }
    };
    Used used, compared;  // by instructions of a thread, and by branches
    std::array<Locations, Lts::max_threads> compared_by{};
    for (int t = 0; t < program.threads(); ++t) {
        Locations all = 0, branches = 0;
        int pc = 0;
        for (const Instruction& i : program.thread(t)) {
            all |= bit(i.loc);
            if (i.is_branch(pc++)) branches |= bit(i.loc);
        }
        used.add(all);
        compared.add(branches);
        compared_by[static_cast<std::size_t>(t)] = branches;
    }
    for (int t = 0; t < program.threads(); ++t) {
        const Locations elsewhere = compared.by_two | (compared.by_some & ~compared_by[static_cast<std::size_t>(t)]);
        for (int pc = 0; pc < program.size(t) && program.first(t) + pc < open; ++pc) {
            const Instruction& i = program[program.first(t) + pc];
            if (i.writes() && (elsewhere & bit(i.loc)) == 0) return false;
            if (i.is_branch(pc) && (used.by_two & bit(i.loc)) == 0) return false;
        }
    }
    return true;
}

}  // namespace

bool may_keep(const Program& program, std::uint32_t rules, int open) {
    std::array<std::uint64_t, max_names> held;  // per location, a bit for each value that it may hold
    for (int place = 0; place < program.size(); ++place) held[static_cast<std::size_t>(program[place].loc)] = 1;
    for (int place = 0; place < program.size(); ++place) {
        const Instruction& i = program[place];
        if (i.writes()) held[static_cast<std::size_t>(i.loc)] |= std::uint64_t{1} << i.exch;
    }
    bool jumps_back = false;
    for (int t = 0; t < program.threads(); ++t) {
        for (int pc = 0; pc < program.size(t); ++pc) {
            const int place = program.first(t) + pc;
            const Instruction& i = program[place];
            const std::uint64_t values = held[static_cast<std::size_t>(i.loc)], compared = std::uint64_t{1} << i.check;
            jumps_back = jumps_back || i.target <= pc;
            if (place >= open && i.writes() && i.is_branch(pc)) continue;
            if ((rules & effective_stores) && i.writes() && values == 1) return false;
            if ((rules & all_branches) && i.is_branch(pc) && ((values & compared) == 0 || values == compared)) return false;
        }
    }
    return (jumps_back || (rules & non_termination_cycle) == 0) &&
           ((rules & inter_thread_influence) == 0 || influences(program, open));
}

std::uint32_t RuleChecker::broken(const Program& program) {
    const Lts& lts = exploration_.of(program);

    std::uint32_t rules = 0;
    if (!always_can_end(lts)) rules |= possible_termination;
    if (lts.cyclic().empty()) rules |= non_termination_cycle;
    if (!influences(program, program.size())) rules |= inter_thread_influence;
    for (int t = 0; t < program.threads(); ++t) {
        for (int pc = 0; pc < program.size(t); ++pc) {
            const Instruction& i = program[program.first(t) + pc];
            const auto observed = exploration_.observed(program.first(t) + pc);
            if (observed == 0) rules |= executed;
            if (i.is_branch(pc) && (observed & (taken | not_taken)) != (taken | not_taken)) rules |= all_branches;
            if (i.writes() && !(observed & changed_memory)) rules |= effective_stores;
            if (i.writes() && !i.is_branch(pc) && i.check != 0) rules |= meaningful_comparisons;
        }
    }
    return rules;
}

}  // namespace synth
