// Decide whether a program is a sub-program of another, without the programs between them (definitions, section 6).
//
// All relaxations together do three things: they delete instructions, they merge locations and values, and they remove the
// exchange or the comparison of some exchange branches. So it is enough to say from which instruction of the large program
// each instruction of the small one comes, thread by thread in their order. One map of locations and one map of values, in
// which 0 stays 0, must then explain all of them. There may be thousands of programs between the two. The search instead
// tries the choices of instructions one after the other; programs of the usual sizes have few.
#pragma once

#include "program/program.hpp"

namespace synth {

// Return whether a program equals another one or is a sub-program of it. Both are in normal form; stores compare with 0.
bool is_within(const Program& small, const Program& large);

}  // namespace synth
