// The Python module synth_checker._native, part by part. The order is that of _native.pyi.

#include <nanobind/nanobind.h>

#include "bindings/bind.hpp"

NB_MODULE(_native, m) {
    m.doc() = "The C++ core of synth_checker.";

    bindings::bind_errors(m);
    bindings::bind_work(m);
    bindings::bind_programs(m);
    bindings::bind_transitions(m);
    bindings::bind_verdicts(m);
    bindings::bind_ids(m);
    bindings::bind_signatures(m);
    bindings::bind_lines(m);
    bindings::bind_search(m);
    bindings::bind_lazy(m);
    bindings::bind_subprograms(m);
    bindings::bind_behaviour(m);
    bindings::bind_minimality(m);
    bindings::bind_proofs(m);
    bindings::bind_simulation(m);
    bindings::bind_launches(m);
}
