// Conversions of texts and numbers between Python and the core.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "work/faults.hpp"

namespace bindings {

// The characters of a Python string. The view is valid while the string exists.
std::string_view characters(nanobind::handle id);

inline std::string_view view(const nanobind::bytes& text) { return {text.c_str(), text.size()}; }

inline nanobind::bytes bytes(const std::string& text) { return nanobind::bytes(text.data(), text.size()); }

// Numbers in the form in which Python passes them between calls: their bytes, in the byte order of this machine.
template <class Number>
nanobind::bytes packed(const std::vector<Number>& numbers) {
    return nanobind::bytes(numbers.data(), numbers.size() * sizeof(Number));
}

// Throws InputFault if the last number is incomplete.
template <class Number>
std::vector<Number> unpacked(const nanobind::bytes& bytes) {
    if (bytes.size() % sizeof(Number) != 0) {
        throw synth::InputFault("found " + std::to_string(bytes.size()) + " bytes, expected " +
                                std::to_string(sizeof(Number)) + " bytes for each number");
    }
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.c_str(), bytes.size());
    return numbers;
}

// A list of Python's numbers.
nanobind::list numbers(const std::vector<std::uint64_t>& values);

// Throws IndexError unless the range [first, last) is inside a set of this size.
void check_range(std::size_t first, std::size_t last, std::size_t size);

}  // namespace bindings
