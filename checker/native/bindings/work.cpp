// Long work is ended by a signal, or with the interpreter.

#include <nanobind/nanobind.h>

#include <atomic>
#include <stdexcept>

#include "bindings/bind.hpp"
#include "work/work.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

std::atomic<bool> interpreter_ends = false;

// Signals are Python's: what a handler raises in the main thread goes through the core as through any Python code.
// Called without a wish for the lock where the interpreter ends, for whoever ends it may hold it until this thread is done.
void look_for_signals() {
    if (interpreter_ends) throw std::runtime_error("the interpreter ends");
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void bind_work(nb::module_& m) {
    synth::on_long_work = look_for_signals;
    m.def("end_work", [] { interpreter_ends = true; }, "Have all work that goes on in other threads end with an exception.");
}

}  // namespace bindings
