// Normal form (definitions, section 2): no-ops deleted, stores compare with 0, locations and values named by first use.
#pragma once

#include "program/program.hpp"

namespace synth {

// Return the normal form of a program. With keep_store_checks, the check of a store is kept and names a value; this is for
// questions that drop the rule `meaningful-comparisons`.
Program normal_form(const Program& program, bool keep_store_checks);

// Write the normal form of a program into `result`, whose memory is used again.
void write_normal_form(const Program& program, bool keep_store_checks, Program& result);

}  // namespace synth
