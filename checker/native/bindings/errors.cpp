// Faults of the core become the exceptions of synth_checker.errors.

#include <nanobind/nanobind.h>

#include <exception>

#include "bindings/bind.hpp"
#include "work/faults.hpp"

namespace nb = nanobind;

namespace bindings {

namespace {

// Python code runs here, so that a signal's handler may raise something else instead.
void raise(const char* error, const synth::Fault& fault) try {
    const nb::module_ errors = nb::module_::import_("synth_checker.errors");
    const nb::object type = errors.attr(error);
    if (fault.id.empty()) {
        PyErr_SetString(type.ptr(), fault.what());
        return;
    }
    const nb::object id = nb::steal(  // which may be any bytes
        PyUnicode_DecodeUTF8(fault.id.data(), static_cast<Py_ssize_t>(fault.id.size()), "backslashreplace"));
    if (id.is_valid()) PyErr_Format(type.ptr(), "id %R: %s", errors.attr("excerpt")(id).ptr(), fault.what());
} catch (nb::python_error& raised) {
    raised.restore();
}

}  // namespace

void bind_errors(nb::module_&) {
    nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const synth::InputFault& fault) {
            raise("InputError", fault);
        } catch (const synth::LimitFault& fault) {
            raise("LimitError", fault);
        }
    });
}

}  // namespace bindings
