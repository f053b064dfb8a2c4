// Every test of a bound by looking at every program, in the plainest way. Written from the definitions, sections 1 to 3;
// shares nothing with the engines or the core, and is the measure of both.
//
//     brute THREADS INSTRUCTIONS LOCATIONS VALUES [RULE ...]
//
// prints the ids of the tests, where the named rules are dropped, one a line, unsorted. With --count it prints how many
// programs there are and how many of them are tests.

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

constexpr int none = -1;

struct Instruction {
    int loc, check, exch, target;
};
using Thread = std::vector<Instruction>;
using Program = std::vector<Thread>;

struct Question {
    int locations, values;
    bool influence = true, branches = true, effective = true, meaningful = true;
    bool count = false;
};

bool is_branch(const Instruction& i, int pc) { return i.target != pc + 1; }

// "memory locations are named 0, 1, ... in the order of their first appearance, reading thread 0 first and each thread in
// program order; then the non-zero values are named 1, 2, ... in the order of their first appearance in the same reading,
// `check` before `exch` within an instruction." No no-op; every store's check is 0, unless that rule is dropped.
bool is_normal_form(const Program& program, const Question& question) {
    int locations = 0, values = 1;
    for (const Thread& thread : program) {
        for (int pc = 0; pc < static_cast<int>(thread.size()); ++pc) {
            const Instruction& i = thread[static_cast<std::size_t>(pc)];
            if (!is_branch(i, pc) && i.exch == none) return false;
            if (!is_branch(i, pc) && question.meaningful && i.check != 0) return false;
            if (i.loc > locations) return false;
            if (i.loc == locations) ++locations;
            for (const int value : {i.check, i.exch}) {
                if (value > values) return false;
                if (value == values) ++values;
            }
        }
    }
    return true;
}

bool influences(const Program& program) {
    for (std::size_t t = 0; t < program.size(); ++t) {
        for (std::size_t pc = 0; pc < program[t].size(); ++pc) {
            const Instruction& i = program[t][pc];
            bool other_branch = false, other_any = false;
            for (std::size_t u = 0; u < program.size(); ++u) {
                if (u == t) continue;
                for (std::size_t k = 0; k < program[u].size(); ++k) {
                    if (program[u][k].loc != i.loc) continue;
                    other_any = true;
                    other_branch = other_branch || is_branch(program[u][k], static_cast<int>(k));
                }
            }
            if (i.exch != none && !other_branch) return false;
            if (is_branch(i, static_cast<int>(pc)) && !other_any) return false;
        }
    }
    return true;
}

// A state is the memory, then the pcs.
using State = std::vector<int>;

bool is_test(const Program& program, const Question& question) {
    if (question.influence && !influences(program)) return false;
    const auto locations = static_cast<std::size_t>(question.locations);
    std::map<State, std::vector<State>> successors;
    std::set<std::pair<std::size_t, int>> executed, taken, not_taken, changing;  // (thread, pc)
    std::vector<State> todo{State(locations + program.size(), 0)};
    successors[todo[0]];
    while (!todo.empty()) {
        const State state = todo.back();
        todo.pop_back();
        for (std::size_t t = 0; t < program.size(); ++t) {
            const int pc = state[locations + t];
            if (pc == static_cast<int>(program[t].size())) continue;
            const Instruction& i = program[t][static_cast<std::size_t>(pc)];
            State next = state;
            int& value = next[static_cast<std::size_t>(i.loc)];
            const bool takes = value == i.check;
            executed.insert({t, pc});
            (takes ? taken : not_taken).insert({t, pc});
            if (i.exch != none) {
                if (value != i.exch) changing.insert({t, pc});
                value = i.exch;
            }
            next[locations + t] = takes ? i.target : pc + 1;
            successors[state].push_back(next);
            if (successors.try_emplace(next).second) todo.push_back(next);
        }
    }
    for (std::size_t t = 0; t < program.size(); ++t) {
        for (int pc = 0; pc < static_cast<int>(program[t].size()); ++pc) {
            const Instruction& i = program[t][static_cast<std::size_t>(pc)];
            const std::pair<std::size_t, int> here{t, pc};
            if (!executed.contains(here)) return false;
            const bool both = taken.contains(here) && not_taken.contains(here);
            if (question.branches && is_branch(i, pc) && !both) return false;
            if (question.effective && i.exch != none && !changing.contains(here)) return false;
        }
    }
    // Possible termination: the states that reach an end, found by going over all states again and again.
    std::set<State> ends;
    for (const auto& [state, next] : successors) {
        if (next.empty()) ends.insert(state);
    }
    for (bool grows = true; grows;) {
        grows = false;
        for (const auto& [state, next] : successors) {
            if (ends.contains(state)) continue;
            for (const State& to : next) {
                if (!ends.contains(to)) continue;
                ends.insert(state);
                grows = true;
                break;
            }
        }
    }
    if (ends.size() != successors.size()) return false;
    // Non-termination cycle: what is left when states without a successor are taken away again and again.
    std::map<State, std::vector<State>> left = successors;
    for (bool shrinks = true; shrinks;) {
        shrinks = false;
        for (auto at = left.begin(); at != left.end();) {
            bool goes_on = false;
            for (const State& to : at->second) goes_on = goes_on || left.contains(to);
            at = goes_on ? std::next(at) : left.erase(at);
            shrinks = shrinks || !goes_on;
        }
    }
    return !left.empty();
}

std::string id(const Program& program) {
    const char* digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    std::string text;
    for (const Thread& thread : program) {
        if (!text.empty()) text += '-';
        for (const Instruction& i : thread) {
            text += digits[i.loc];
            text += digits[i.check];
            text += i.exch == none ? '_' : digits[i.exch];
            text += digits[i.target];
        }
    }
    return text;
}

struct Counts {
    long programs = 0, tests = 0;
};

// Fill in the instructions one after the other, in every way.
void every_program(Program& program, std::size_t t, std::size_t pc, const Question& question, Counts& counts) {
    if (t == program.size()) {
        if (!is_normal_form(program, question)) return;
        ++counts.programs;
        if (!is_test(program, question)) return;
        ++counts.tests;
        if (!question.count) std::puts(id(program).c_str());
        return;
    }
    const bool last = pc + 1 == program[t].size();
    const int size = static_cast<int>(program[t].size());
    for (int loc = 0; loc < question.locations; ++loc) {
        for (int check = 0; check < question.values; ++check) {
            for (int exch = none; exch < question.values; ++exch) {
                for (int target = 0; target <= size; ++target) {
                    program[t][pc] = {loc, check, exch, target};
                    every_program(program, last ? t + 1 : t, last ? 0 : pc + 1, question, counts);
                }
            }
        }
    }
}

void every_split(Program& program, int threads, int instructions, const Question& question, Counts& counts) {
    if (threads == 0) {
        if (instructions == 0) every_program(program, 0, 0, question, counts);
        return;
    }
    for (int size = 1; size <= instructions; ++size) {
        program.emplace_back(static_cast<std::size_t>(size));
        every_split(program, threads - 1, instructions - size, question, counts);
        program.pop_back();
    }
}

}  // namespace

int main(int words, char** word) {
    if (words < 5) {
        std::fputs("usage: brute THREADS INSTRUCTIONS LOCATIONS VALUES [--count] [RULE ...]\n", stderr);
        return 2;
    }
    Question question{std::atoi(word[3]), std::atoi(word[4])};
    const std::map<std::string, bool Question::*> flags{{"inter-thread-influence", &Question::influence},
                                                        {"all-branches", &Question::branches},
                                                        {"effective-stores", &Question::effective},
                                                        {"meaningful-comparisons", &Question::meaningful}};
    for (int k = 5; k < words; ++k) {
        if (std::strcmp(word[k], "--count") == 0) {
            question.count = true;
        } else if (const auto flag = flags.find(word[k]); flag != flags.end()) {
            question.*flag->second = false;
        } else {
            std::fprintf(stderr, "brute: unknown rule %s\n", word[k]);
            return 2;
        }
    }
    Program program;
    Counts counts;
    every_split(program, std::atoi(word[1]), std::atoi(word[2]), question, counts);
    if (question.count) std::printf("%ld %ld\n", counts.programs, counts.tests);
}
