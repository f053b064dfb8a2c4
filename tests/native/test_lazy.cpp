// Refutation and completion, which the lazy mode of the SAT engine and directed search rest on, against the core.
//
// Every literal is a number of its own, so what a clause says can be held against any program.

#include <algorithm>
#include <set>

#include "check.hpp"
#include "lazy/completion.hpp"
#include "lazy/refutation.hpp"
#include "lazy/verdict_refutation.hpp"
#include "program/exploration.hpp"
#include "program/normal.hpp"
#include "program/rules.hpp"
#include "verdicts/product_verdicts.hpp"

using namespace testing;

namespace {

constexpr std::uint32_t by_executions = synth::possible_termination | synth::non_termination_cycle | synth::executed |
                                        synth::all_branches | synth::effective_stores;
constexpr std::uint32_t can_be_dropped = synth::inter_thread_influence | synth::all_branches | synth::effective_stores |
                                         synth::meaningful_comparisons;

struct Split {
    std::vector<int> sizes;
    int locations, values;
    std::uint32_t without;
    synth::SplitStates states{sizes, locations, values};
    int pcs = *std::ranges::max_element(sizes) + 1;
    int places = static_cast<int>(states.places().size());
    int effects = places * states.memories() * states.memories();
    int jumps = places * states.memories() * pcs;

    // 1, 2, 3 ... through all tables.
    synth::OutcomeLiterals literals() const {
        synth::OutcomeLiterals made;
        int next = 1;
        for (int k = 0; k < effects; ++k) made.effects.push_back(next++);
        for (int k = 0; k < jumps; ++k) made.jumps.push_back(next++);
        for (int k = 0; k < places; ++k) made.branches.push_back(next++);
        for (int k = 0; k < places; ++k) made.writes.push_back(next++);
        return made;
    }

    // Whether what a literal stands for is so of a program.
    bool is_so(int literal, const synth::Program& program) const {
        int index = literal - 1;
        const auto of = [&](int place, int memory) {
            return states.outcome(program[place], states.places()[at(place)].pc, memory);
        };
        const int memories = states.memories();
        if (index < effects) return of(index / memories / memories, index / memories % memories).memory == index % memories;
        index -= effects;
        if (index < jumps) return of(index / pcs / memories, index / pcs % memories).pc == index % pcs;
        index -= jumps;
        if (index < places) return program[index].is_branch(states.places()[at(index)].pc);
        return program[index - places].writes();
    }

    // Whether a program breaks a clause.
    bool breaks(const std::vector<int>& clause, const synth::Program& program) const {
        return std::ranges::all_of(clause, [&](int literal) { return is_so(-literal, program); });
    }
};

Split random_split(Random& random) {
    Split split{{random.from_to(1, 3), random.from_to(1, 2)}, random.from_to(1, 2), random.from_to(1, 3),
                static_cast<std::uint32_t>(random.below(0x80)) & can_be_dropped};
    if (random.one_in(3)) return Split{{2, 1, 1}, split.locations, split.values, split.without};
    return split;
}

std::vector<synth::Instruction> instructions_at(const Split& split, int place) {
    std::vector<synth::Instruction> found;
    for (int loc = 0; loc < split.locations; ++loc) {
        for (int check = 0; check < split.values; ++check) {
            for (int exch = synth::no_exchange; exch < split.values; ++exch) {
                for (int target = 0; target <= split.states.places()[at(place)].end; ++target) {
                    found.push_back(instruction(loc, check, exch, target));
                }
            }
        }
    }
    return found;
}

synth::Program program_of(const Split& split, const std::vector<synth::Instruction>& code) {
    synth::Program program;
    std::size_t next = 0;
    for (const int size : split.sizes) {
        program.append_thread(std::span(code).subspan(next, at(size)));
        next += at(size);
    }
    return program;
}

std::vector<synth::Instruction> random_code(Random& random, const Split& split) {
    std::vector<synth::Instruction> code;
    for (int place = 0; place < split.places; ++place) {
        const auto all = instructions_at(split, place);
        code.push_back(all[at(random.below(static_cast<int>(all.size())))]);
    }
    return code;
}

// The same but for one instruction.
std::vector<synth::Instruction> neighbour(Random& random, const Split& split, std::vector<synth::Instruction> code) {
    const int place = random.below(split.places);
    const auto all = instructions_at(split, place);
    code[at(place)] = all[at(random.below(static_cast<int>(all.size())))];
    return code;
}

// A verdict is refuted exactly if it is not the wanted one, by the product; a clause is broken by the program, and by other
// programs with that verdict.
void verdict_refutations() {
    Random random(3);
    int refuted = 0, kept = 0, others = 0;
    for (int k = 0; k < 120; ++k) {
        const Split split = random_split(random);
        const int threads = static_cast<int>(split.sizes.size());
        const synth::Automaton automaton = random_automaton(random, threads, random.from_to(1, 3), random.one_in(2));
        const bool strong = random.one_in(2);
        const bool passes = random.one_in(2);
        synth::VerdictRefutation refutation(split.states, split.literals(), {{automaton, strong, passes}});
        synth::ProductVerdicts product(automaton, {1, 2});
        synth::Exploration exploration;
        const auto is_as_wanted = [&](const synth::Program& program) {
            return ((product.fails(exploration.of(program)) >> (strong ? 1 : 0) & 1) == 0) == passes;
        };
        for (int n = 0; n < 20; ++n) {
            std::vector<synth::Instruction> code = random_code(random, split);
            const synth::Program program = program_of(split, code);
            const auto& clauses = refutation.clauses(program);
            CHECK(clauses.empty() == is_as_wanted(program));
            (clauses.empty() ? kept : refuted) += 1;
            for (const auto& clause : clauses) CHECK(split.breaks(clause, program));
            for (int m = 0; m < 10; ++m) {
                const synth::Program other = program_of(split, neighbour(random, split, code));
                for (const auto& clause : clauses) {
                    if (!split.breaks(clause, other)) continue;
                    CHECK(!is_as_wanted(other));
                    ++others;
                }
            }
        }
    }
    CHECK(refuted > 100 && kept > 100 && others > 100);
}

// A program is refuted exactly if it breaks a rule; a clause is broken by it, and by other programs that break a rule.
void refutations() {
    Random random(1);
    synth::RuleChecker checker;
    int refuted = 0, kept = 0, others = 0;
    for (int k = 0; k < 80; ++k) {
        const Split split = random_split(random);
        synth::Refutation refutation(split.states, split.literals(), split.without);
        for (int n = 0; n < 40; ++n) {
            std::vector<synth::Instruction> code = random_code(random, split);
            const synth::Program program = program_of(split, code);
            const auto& clauses = refutation.clauses(program);
            const bool is_broken = checker.broken(program) & by_executions & ~split.without;
            CHECK(clauses.empty() == !is_broken);
            (is_broken ? refuted : kept) += 1;
            for (const auto& clause : clauses) CHECK(split.breaks(clause, program));
            for (int m = 0; m < 10; ++m) {
                const std::vector<synth::Instruction> changed = neighbour(random, split, code);
                const synth::Program other = program_of(split, changed);
                for (const auto& clause : clauses) {
                    if (!split.breaks(clause, other)) continue;
                    CHECK(checker.broken(other) & by_executions & ~split.without);
                    ++others;
                }
                if (random.one_in(4)) code = changed;
            }
        }
    }
    CHECK(refuted > 1000 && kept > 15 && others > 1000);
}

// All that can stand in the open places and makes a test in normal form, and nothing else.
void completions() {
    Random random(2);
    synth::RuleChecker checker;
    std::size_t most = 0;
    for (int k = 0; k < 40; ++k) {
        const Split split = random_split(random);
        std::vector<int> open;
        for (int place = 0; place < split.places && open.size() < 2; ++place) {
            if (random.one_in(2)) open.push_back(place);
        }
        synth::Completion completion(split.states, open, split.without);
        for (int n = 0; n < 3; ++n) {
            std::vector<synth::Instruction> code = random_code(random, split);
            const auto found = completion.complete(program_of(split, code));
            std::set<std::string> expected;
            const auto fill_in = [&](auto& self, std::size_t next) -> void {
                if (next < open.size()) {
                    for (const synth::Instruction& i : instructions_at(split, open[next])) {
                        code[at(open[next])] = i;
                        self(self, next + 1);
                    }
                    return;
                }
                const synth::Program program = program_of(split, code);
                const bool keep = split.without & synth::meaningful_comparisons;
                if (synth::normal_form(program, keep).id() != program.id()) return;
                if (!(checker.broken(program) & ~split.without)) expected.insert(program.id());
            };
            fill_in(fill_in, 0);
            CHECK(found.size() == expected.size());
            CHECK(std::set(found.begin(), found.end()) == expected);
            most = std::max(most, found.size());
        }
    }
    CHECK(most > 5);
}

void limits() {
    CHECK_THROWS(synth::LimitFault, synth::SplitStates(std::vector<int>(65, 1), 1, 1));
    CHECK_THROWS(synth::LimitFault, synth::SplitStates({30, 30, 30}, 2, 36));
    CHECK(synth::SplitStates({3, 2}, 2, 2).count() == 4 * 4 * 3);

    const Split split{{2, 1}, 1, 2, 0};
    synth::Refutation refutation(split.states, split.literals(), 0);
    const synth::Automaton nobody{3, {{0, 0, 0}}, {{0, 0, 0}}, {std::vector<synth::ThreadSet>(8, 0)}};
    CHECK_THROWS(synth::InputFault, synth::VerdictRefutation(split.states, split.literals(), {{nobody, false, true}}));
    synth::Completion completion(split.states, {1}, 0);
    for (const char* other : {"", "00_0-0011", "00_000_0-10_0", "00_000_0-02_0", "00_0-00_000_0"}) {
        CHECK_THROWS(synth::InputFault, refutation.clauses(read(other)));
        CHECK_THROWS(synth::InputFault, completion.complete(read(other)));
    }
    CHECK_THROWS(synth::InputFault, synth::Refutation(split.states, {}, 0));
    CHECK_THROWS(synth::InputFault, synth::Completion(split.states, {3}, 0));
}

}  // namespace

int main() {
    refutations();
    verdict_refutations();
    completions();
    limits();
}
