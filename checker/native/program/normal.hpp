// Normal form (definitions, section 2): no-ops deleted, stores compare with 0, locations and values named by first use.
#pragma once

#include "program/program.hpp"

namespace synth {

// With keep_store_checks, which goes with dropping `meaningful-comparisons`, a store's check is kept and names a value.
Program normal_form(const Program& program, bool keep_store_checks);

// The same into another program, whose memory is used again.
void write_normal_form(const Program& program, bool keep_store_checks, Program& result);

}  // namespace synth
