// What the test programs share: one way to fail, random numbers that are the same everywhere, and random programs and
// automata.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "program/program.hpp"
#include "verdicts/automaton.hpp"
#include "work/faults.hpp"

// Fails also where assert() would be compiled away.
#define CHECK(condition)                                                             \
    do {                                                                             \
        if (!(condition)) {                                                          \
            std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            std::abort();                                                            \
        }                                                                            \
    } while (false)

// That some code throws such a fault, with a message of one line.
#define CHECK_THROWS(fault, code)                                            \
    do {                                                                     \
        bool has_thrown = false;                                             \
        try {                                                                \
            code;                                                            \
        } catch (const fault& thrown) {                                      \
            has_thrown = *thrown.what() && is_one_line(thrown.what());       \
        }                                                                    \
        CHECK(has_thrown);                                                   \
    } while (false)

namespace testing {

inline bool is_one_line(std::string_view text) { return text.find_first_of("\r\n") == std::string_view::npos; }

inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The distributions of <random> differ from library to library.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    int below(int end) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(end)); }
    int from_to(int least, int most) { return least + below(most - least + 1); }
    bool one_in(int n) { return below(n) == 0; }

private:
    std::mt19937_64 engine_;
};

inline synth::Program read(std::string_view id) {
    synth::Program program;
    program.read(id);
    return program;
}

inline synth::Instruction instruction(int loc, int check, int exch, int target) {
    const auto digit = [](int value) { return static_cast<std::int8_t>(value); };
    return {digit(loc), digit(check), digit(exch), digit(target)};
}

// Half of all jumps lead backwards, so that many programs may run forever.
inline synth::Program random_program(Random& random, int threads, int longest, int locations, int values) {
    synth::Program program;
    for (int t = 0; t < threads; ++t) {
        const int size = random.from_to(1, longest);
        std::vector<synth::Instruction> thread;
        for (int pc = 0; pc < size; ++pc) {
            thread.push_back(instruction(random.below(locations), random.below(values), random.below(values + 1) - 1,
                                         random.from_to(0, random.one_in(2) ? pc : size)));
        }
        program.append_thread(thread);
    }
    return program;
}

// With `history`, a step that ends no thread leads to the same state or a later one: then the only cycles are single
// states.
inline synth::Automaton random_automaton(Random& random, int threads, int states, bool history) {
    synth::Automaton automaton;
    automaton.threads = threads;
    const synth::ThreadSet sets = synth::ThreadSet{1} << threads;
    for (int q = 0; q < states; ++q) {
        std::vector<int> steps, ends;
        for (int t = 0; t < threads; ++t) {
            steps.push_back(history ? (random.one_in(2) ? q : random.from_to(q, states - 1)) : random.below(states));
            ends.push_back(random.below(states));
        }
        automaton.steps.push_back(steps);
        automaton.ends.push_back(ends);
        std::vector<synth::ThreadSet> fair;
        for (synth::ThreadSet live = 0; live < sets; ++live) {
            fair.push_back(live & static_cast<synth::ThreadSet>(random.below(static_cast<int>(sets))));
        }
        automaton.fair.push_back(fair);
    }
    return automaton;
}

}  // namespace testing
