// Random programs in normal form.
#pragma once

#include <array>

#include "check.hpp"
#include "program/normal.hpp"

namespace testing {

// So long may threads be, so that so many of them can be packed.
inline int longest(int threads) { return std::array{7, 7, 4, 2, 2, 1}[at(threads)]; }

// A program in normal form, which can be packed unless it is too large for that.
inline synth::Program random_form(Random& random, int threads, int longest, bool waits) {
    for (;;) {
        synth::Program program = random_program(random, threads, longest, random.from_to(1, 2), 2);
        // Let a thread wait for another, so that many of the programs are tests.
        if (waits) {
            program[0] = instruction(0, 0, synth::no_exchange, 0);
            program[program.first(threads - 1)] = instruction(0, 0, 1, 1);
        }
        const synth::Program form = synth::normal_form(program, false);
        if (form.threads() == threads) return form;
    }
}

}  // namespace testing
