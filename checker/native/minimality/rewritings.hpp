// The rewritings of a program: the results of relaxations that delete no instruction (definitions, section 6).
//
// They are independent choices: which locations and which values become one, and whether each exchange branch stays, loses
// its exchange or becomes a store. The choices are tried in place and without normal form, because neither rules nor
// verdicts need it. Names come first, since afterwards the number of instructions that can write a location only falls. A
// choice is not followed if no rewriting after it can keep the rules.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "program/program.hpp"

namespace synth {

class Rewritings {
public:
    using Visit = std::function<bool(const Program&)>;

    // Only rewritings that may keep these rules are visited.
    explicit Rewritings(std::uint32_t rules) : rules_(rules) {}

    // Visit the rewritings of a program in normal form, and the program itself if `itself` is true, until a visit returns
    // true. Return whether one did.
    bool any(const Program& program, bool itself, const Visit& is_enough);

private:
    // The names of one kind are handled one by one: each stays, or becomes a lower name that has stayed.
    bool merge_locations(const Program& program, int name, std::uint64_t stayed, bool visits);
    bool merge_values(const Program& program, int name, std::uint64_t stayed, bool visits);
    bool choose_branches(int thread, int pc, bool visits);

    std::uint32_t rules_;
    const Visit* is_enough_ = nullptr;
    Program program_;  // with its names, while branches are chosen
};

}  // namespace synth
