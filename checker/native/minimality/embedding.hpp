// Whether a program is a sub-program of another, without the programs between (definitions, section 6).
//
// Relaxations add up to three things: some instructions are gone, locations and values have become one, and of the
// exchange branches left some have lost their exchange or their comparison. So it is enough to say which instruction of
// the large program each of the small one comes from, thread by thread in their order, and to see that one map of
// locations and one of values, in which 0 stays 0, explain all of them. What lies between may be thousands of programs;
// the choices of instructions are tried one after the other, few of them for programs of the sizes that are searched.
#pragma once

#include "program/program.hpp"

namespace synth {

// Whether a program is another one or a sub-program of it; both are in normal form, and stores compare with 0.
bool is_within(const Program& small, const Program& large);

}  // namespace synth
