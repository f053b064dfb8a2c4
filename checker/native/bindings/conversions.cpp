#include "bindings/conversions.hpp"

namespace nb = nanobind;

namespace bindings {

std::string_view characters(nb::handle id) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(id.ptr(), &size);
    if (text != nullptr) return {text, static_cast<std::size_t>(size)};
    if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
    PyErr_Clear();  // the string has half a surrogate pair, which UTF-8 cannot express and no id contains
    throw synth::InputFault("id " + std::string(nb::repr(id).c_str()) + ": expected base-36 digits (0-9, a-z)");
}

nb::list numbers(const std::vector<std::uint64_t>& values) {
    nb::list list = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(values.size())));
    if (!list.is_valid()) throw nb::python_error();
    for (std::size_t k = 0; k < values.size(); ++k) {
        PyObject* const number = PyLong_FromUnsignedLongLong(values[k]);
        if (number == nullptr) throw nb::python_error();
        PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(k), number);
    }
    return list;
}

void check_range(std::size_t first, std::size_t last, std::size_t size) {
    if (first > last || last > size) throw nb::index_error("the range is not inside the set");
}

}  // namespace bindings
