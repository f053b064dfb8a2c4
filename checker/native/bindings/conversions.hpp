// How texts and numbers go from Python to the core and back.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "work/faults.hpp"

namespace bindings {

// The characters of a Python string, as long as that lives.
std::string_view characters(nanobind::handle id);

inline std::string_view view(const nanobind::bytes& text) { return {text.c_str(), text.size()}; }

inline nanobind::bytes bytes(const std::string& text) { return nanobind::bytes(text.data(), text.size()); }

// Numbers as Python carries them from one call to another: their bytes, in the order of this machine.
template <class Number>
nanobind::bytes packed(const std::vector<Number>& numbers) {
    return nanobind::bytes(numbers.data(), numbers.size() * sizeof(Number));
}

// Throws InputFault where the bytes are no whole number of them.
template <class Number>
std::vector<Number> unpacked(const nanobind::bytes& bytes) {
    if (bytes.size() % sizeof(Number) != 0) {
        throw synth::InputFault("found a part of a number, expected " + std::to_string(sizeof(Number)) + " bytes each");
    }
    std::vector<Number> numbers(bytes.size() / sizeof(Number));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.c_str(), bytes.size());
    return numbers;
}

// A list of Python's numbers.
nanobind::list numbers(const std::vector<std::uint64_t>& values);

// Throws IndexError unless [first, last) are places of a set of this size.
void check_range(std::size_t first, std::size_t last, std::size_t size);

}  // namespace bindings
