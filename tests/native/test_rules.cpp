// Which rules a program breaks, against the sentences of section 3 of the definitions over the plain states.

#include "plain.hpp"
#include "program/rules.hpp"

using namespace testing;

namespace {

std::uint32_t plainly_broken(const synth::Program& program) {
    const PlainLts lts(program);
    const auto reach = lts.reach();
    bool always_can_end = true, has_cycle = false;
    for (int state = 0; state < lts.size(); ++state) {
        bool can_end = lts.has_ended(state);
        for (int to = 0; to < lts.size(); ++to) can_end = can_end || (reach[at(state)][at(to)] && lts.has_ended(to));
        always_can_end = always_can_end && can_end;
        has_cycle = has_cycle || reach[at(state)][at(state)];
    }
    std::uint32_t rules = 0;
    if (!always_can_end) rules |= synth::possible_termination;
    if (!has_cycle) rules |= synth::non_termination_cycle;
    for (int t = 0; t < program.threads(); ++t) {
        for (int pc = 0; pc < program.size(t); ++pc) {
            const int place = program.first(t) + pc;
            const synth::Instruction i = program[place];
            const bool is_branch = i.target != pc + 1;
            bool other_uses = false, other_branches = false;
            for (int u = 0; u < program.threads(); ++u) {
                for (int other = 0; u != t && other < program.size(u); ++other) {
                    const synth::Instruction j = program.thread(u)[at(other)];
                    other_uses = other_uses || j.loc == i.loc;
                    other_branches = other_branches || (j.loc == i.loc && j.target != other + 1);
                }
            }
            if (!lts.executed[at(place)]) rules |= synth::executed;
            if ((i.exch >= 0 && !other_branches) || (is_branch && !other_uses)) rules |= synth::inter_thread_influence;
            if (is_branch && !(lts.taken[at(place)] && lts.not_taken[at(place)])) rules |= synth::all_branches;
            if (i.exch >= 0 && !lts.changed[at(place)]) rules |= synth::effective_stores;
            if (i.exch >= 0 && !is_branch && i.check != 0) rules |= synth::meaningful_comparisons;
        }
    }
    return rules;
}

void programs_found_by_hand() {
    synth::RuleChecker checker;
    CHECK(checker.broken(read("01100002-01100002")) == 0);  // the mutex
    CHECK(checker.broken(read("")) == synth::non_termination_cycle);
    // A thread that spins alone, never leaves and whom nobody influences.
    CHECK(checker.broken(read("00_0")) ==
          (synth::possible_termination | synth::inter_thread_influence | synth::all_branches));
    // A store that compares, stores what is there, and ends.
    CHECK(checker.broken(read("0101")) == (synth::non_termination_cycle | synth::inter_thread_influence |
                                           synth::effective_stores | synth::meaningful_comparisons));
    CHECK(checker.broken(read("00_20011")) & synth::executed);
}

void random_programs() {
    Random random(1);
    synth::RuleChecker checker;
    std::uint32_t ever = 0, always = ~0U;
    for (int k = 0; k < 1000; ++k) {
        const synth::Program program =
            random_program(random, random.from_to(1, 3), 3, random.from_to(1, 3), random.from_to(1, 3));
        const std::uint32_t broken = checker.broken(program);
        CHECK(broken == plainly_broken(program));
        ever |= broken;
        always &= broken;
    }
    CHECK(ever == 0x7f && always == 0);  // every rule is broken by some program and kept by some
}

}  // namespace

int main() {
    programs_found_by_hand();
    random_programs();
}
