// The functions that define the parts of the Python module. Each is in a file of the same name.
#pragma once

#include <nanobind/nanobind.h>

namespace bindings {

void bind_errors(nanobind::module_& m);        // what the core throws, as Python's exceptions
void bind_work(nanobind::module_& m);          // how long work is ended
void bind_programs(nanobind::module_& m);      // programs, their normal forms, the rules they break and the states they reach
void bind_transitions(nanobind::module_& m);   // transition systems that are no programs
void bind_verdicts(nanobind::module_& m);      // judges
void bind_ids(nanobind::module_& m);           // sets of ids
void bind_signatures(nanobind::module_& m);    // the verdicts of many tests
void bind_lines(nanobind::module_& m);         // lines of text, made of ids
void bind_search(nanobind::module_& m);        // the explicit search
void bind_lazy(nanobind::module_& m);          // what judges the proposals of a SAT solver
void bind_subprograms(nanobind::module_& m);   // sub-programs
void bind_behaviour(nanobind::module_& m);     // behaviours
void bind_minimality(nanobind::module_& m);    // which tests are minimal
void bind_proofs(nanobind::module_& m);        // the checker of proofs
void bind_simulation(nanobind::module_& m);    // the simulated scheduler
void bind_launches(nanobind::module_& m);      // launches of kernels

}  // namespace bindings
