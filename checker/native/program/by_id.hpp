// Do some work on programs that are given by their ids, one after the other. A LimitFault names the id of its program.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "program/program.hpp"
#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

constexpr std::size_t one_program = 20;  // steps of work, at least

// Call `work(program)` with the program that has this id, read into `program`.
// Throws InputFault if the text is not an id. Adds the id to a LimitFault of `work`.
template <class Work>
decltype(auto) with_program(Program& program, std::string_view id, Work&& work) {
    worked(one_program);
    program.read(id);
    try {
        return std::forward<Work>(work)(std::as_const(program));
    } catch (const LimitFault& fault) {
        throw LimitFault(fault.what(), id);
    }
}

// Call `work(program, k)` for each id of a vector, numbered from 0. Throws as `with_program` does.
template <class Ids, class Work>
void for_each_program(const Ids& ids, Work work) {
    Program program;
    for (std::size_t k = 0; k < ids.size(); ++k) {
        with_program(program, ids[k], [&](const Program& read) { work(read, k); });
    }
}

// Call `work(line, k)` for each line, numbered from 0, without its line end. Throws InputFault if a line is empty or has
// no line end.
template <class Work>
void for_each_text(std::string_view lines, Work work) {
    for (std::size_t k = 0; !lines.empty(); ++k) {
        const std::size_t end = lines.find('\n');
        const std::string_view line = lines.substr(0, end);
        if (end == std::string_view::npos) throw InputFault("expected a line end after it", line);
        if (line.empty()) throw InputFault("found an empty line, expected an id");
        work(line, k);
        lines.remove_prefix(end + 1);
    }
}

// Call `work(program, id, k)` for each id in lines, numbered from 0.
// Throws as `with_program` does, and InputFault if a line has no line end.
template <class Work>
void for_each_line(std::string_view lines, Work work) {
    Program program;
    for_each_text(lines, [&](std::string_view id, std::size_t k) {
        with_program(program, id, [&](const Program& read) { work(read, id, k); });
    });
}

}  // namespace synth
