// The programs of a call from Python, given as a sequence of ids.
#pragma once

#include <nanobind/nanobind.h>

#include <string_view>
#include <vector>

#include "bindings/conversions.hpp"
#include "program/by_id.hpp"

namespace bindings {

// The ids of a batch. The tuple keeps the strings alive even if another thread changes the caller's list.
class Batch {
public:
    explicit Batch(const nanobind::object& ids) : ids_(nanobind::steal(PySequence_Tuple(ids.ptr()))) {
        if (!ids_.is_valid()) throw nanobind::python_error();
        const auto count = static_cast<std::size_t>(PyTuple_Size(ids_.ptr()));
        views_.reserve(count);
        for (std::size_t k = 0; k < count; ++k) {
            views_.push_back(characters(PyTuple_GetItem(ids_.ptr(), static_cast<Py_ssize_t>(k))));
        }
    }

    // Apply `decide` to each program of the batch, without the interpreter's lock.
    template <class Result, class Decide>
    std::vector<Result> map(Decide decide) const {
        std::vector<Result> results;
        results.reserve(views_.size());
        const nanobind::gil_scoped_release release;
        synth::for_each_program(views_, [&](const synth::Program& program, std::size_t) { results.push_back(decide(program)); });
        return results;
    }

    const std::vector<std::string_view>& ids() const { return views_; }

private:
    nanobind::object ids_;
    std::vector<std::string_view> views_;
};

}  // namespace bindings
