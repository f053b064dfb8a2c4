// What every enumerator is measured against: a loop over all programs of a bound in normal form, two locations and two
// values, each checked until it breaks a rule (definitions, sections 1 to 3). Without cleverness: nothing is shared
// between programs, and nothing is decided before a program is whole. Prints how many programs there are and how many
// of them are tests.
//
//     plain_search THREADS INSTRUCTIONS

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int none = -1;
constexpr int memories = 4;  // two locations of two values, a bit each

struct Instruction {
    int loc, check, exch, target;
};

// A program, its instructions one behind the other, and the arrays that checking it needs, made once.
struct Checker {
    std::vector<int> sizes;
    std::vector<Instruction> code;
    std::vector<int> thread_of, pc_of, first, stride;
    std::vector<std::vector<int>> successors;
    std::vector<char> seen, ends, left;
    std::vector<int> order;
    long programs = 0, tests = 0;

    explicit Checker(std::vector<int> split) : sizes(std::move(split)) {
        int states = memories;
        for (std::size_t t = 0; t < sizes.size(); ++t) {
            first.push_back(static_cast<int>(thread_of.size()));
            stride.push_back(states);
            for (int pc = 0; pc < sizes[t]; ++pc) {
                thread_of.push_back(static_cast<int>(t));
                pc_of.push_back(pc);
            }
            states *= sizes[t] + 1;
        }
        code.resize(thread_of.size());
        const auto room = static_cast<std::size_t>(states);
        successors.resize(room);
        seen.resize(room);
        ends.resize(room);
        left.resize(room);
    }

    bool is_branch(std::size_t i) const { return code[i].target != pc_of[i] + 1; }

    bool influences() const {
        for (std::size_t i = 0; i < code.size(); ++i) {
            bool other_branch = false, other_any = false;
            for (std::size_t j = 0; j < code.size(); ++j) {
                if (thread_of[j] == thread_of[i] || code[j].loc != code[i].loc) continue;
                other_any = true;
                other_branch = other_branch || is_branch(j);
            }
            if (code[i].exch != none && !other_branch) return false;
            if (is_branch(i) && !other_any) return false;
        }
        return true;
    }

    bool is_test() {
        if (!influences()) return false;
        std::vector<char> taken(code.size()), not_taken(code.size()), changes(code.size());
        std::fill(seen.begin(), seen.end(), 0);
        order.assign(1, 0);
        seen[0] = 1;
        for (std::size_t k = 0; k < order.size(); ++k) {
            const int state = order[k];
            auto& next_states = successors[static_cast<std::size_t>(state)];
            next_states.clear();
            for (std::size_t t = 0; t < sizes.size(); ++t) {
                const int pc = state / stride[t] % (sizes[t] + 1);
                if (pc == sizes[t]) continue;
                const auto i = static_cast<std::size_t>(first[t] + pc);
                const Instruction& instruction = code[i];
                const int value = state >> instruction.loc & 1;
                const bool takes = value == instruction.check;
                (takes ? taken : not_taken)[i] = 1;
                int next = state + ((takes ? instruction.target : pc + 1) - pc) * stride[t];
                if (instruction.exch != none && instruction.exch != value) {
                    changes[i] = 1;
                    next ^= 1 << instruction.loc;
                }
                next_states.push_back(next);
                if (seen[static_cast<std::size_t>(next)]) continue;
                seen[static_cast<std::size_t>(next)] = 1;
                order.push_back(next);
            }
        }
        for (std::size_t i = 0; i < code.size(); ++i) {
            if (is_branch(i) && !(taken[i] && not_taken[i])) return false;
            if (code[i].exch != none && !changes[i]) return false;
        }
        // Possible termination: the states from which an end is reached.
        for (const int state : order) ends[static_cast<std::size_t>(state)] = successors[static_cast<std::size_t>(state)].empty();
        for (bool grows = true; grows;) {
            grows = false;
            for (auto state = order.rbegin(); state != order.rend(); ++state) {
                char& reaches = ends[static_cast<std::size_t>(*state)];
                if (reaches) continue;
                for (const int next : successors[static_cast<std::size_t>(*state)]) reaches = reaches || ends[static_cast<std::size_t>(next)];
                grows = grows || reaches;
            }
        }
        for (const int state : order) {
            if (!ends[static_cast<std::size_t>(state)]) return false;
        }
        // Non-termination cycle: what is left without the states that all paths leave.
        for (const int state : order) left[static_cast<std::size_t>(state)] = 1;
        std::size_t remaining = order.size();
        for (bool shrinks = true; shrinks;) {
            shrinks = false;
            for (auto state = order.rbegin(); state != order.rend(); ++state) {
                char& stays = left[static_cast<std::size_t>(*state)];
                if (!stays) continue;
                bool goes_on = false;
                for (const int next : successors[static_cast<std::size_t>(*state)]) goes_on = goes_on || left[static_cast<std::size_t>(next)];
                if (goes_on) continue;
                stays = 0;
                --remaining;
                shrinks = true;
            }
        }
        return remaining > 0;
    }

    // Every way to fill in the instructions from the i-th on; locations and values are named in the order of their use.
    void every_program(std::size_t i, int locations) {
        if (i == code.size()) {
            ++programs;
            tests += is_test();
            return;
        }
        const int pc = pc_of[i], size = sizes[static_cast<std::size_t>(thread_of[i])];
        for (int loc = 0; loc <= locations && loc < 2; ++loc) {
            for (int target = 0; target <= size; ++target) {
                const bool falls_through = target == pc + 1;
                for (int check = 0; check < (falls_through ? 1 : 2); ++check) {
                    for (int exch = falls_through ? 0 : none; exch < 2; ++exch) {
                        code[i] = {loc, check, exch, target};
                        every_program(i + 1, loc == locations ? locations + 1 : locations);
                    }
                }
            }
        }
    }
};

void every_split(std::vector<int>& split, int threads, int instructions, long& programs, long& tests) {
    if (threads == 0) {
        if (instructions > 0) return;
        Checker checker(split);
        checker.every_program(0, 0);
        programs += checker.programs;
        tests += checker.tests;
        return;
    }
    for (int size = 1; size <= instructions; ++size) {
        split.push_back(size);
        every_split(split, threads - 1, instructions - size, programs, tests);
        split.pop_back();
    }
}

}  // namespace

int main(int words, char** word) {
    if (words != 3) {
        std::fputs("usage: plain_search THREADS INSTRUCTIONS\n", stderr);
        return 2;
    }
    std::vector<int> split;
    long programs = 0, tests = 0;
    every_split(split, std::atoi(word[1]), std::atoi(word[2]), programs, tests);
    std::printf("%ld %ld\n", programs, tests);
}
