// The rewritings of a program: what relaxations make of it that delete no instruction (definitions, section 6).
//
// They are independent choices: which locations and which values are one, and for each exchange branch whether it stays,
// loses its exchange or becomes a store. So they are tried in place, without normal form, which neither rules nor verdicts
// ask for; names first, since then the instructions that can still write a location only get fewer, and a choice after
// which no rewriting keeps the rules is not followed.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "program/program.hpp"

namespace synth {

class Rewritings {
public:
    using Visit = std::function<bool(const Program&)>;

    // Those only are visited that may keep these rules.
    explicit Rewritings(std::uint32_t rules) : rules_(rules) {}

    // Visit the rewritings of a program in normal form, and with `itself` the program, until a visit says that it is
    // enough; whether one did.
    bool any(const Program& program, bool itself, const Visit& is_enough);

private:
    // The names of one kind are dealt with one by one: each stays or becomes a lower one that has stayed.
    bool merge_locations(const Program& program, int name, std::uint64_t stayed, bool visits);
    bool merge_values(const Program& program, int name, std::uint64_t stayed, bool visits);
    bool choose_branches(int thread, int pc, bool visits);

    std::uint32_t rules_;
    const Visit* is_enough_ = nullptr;
    Program program_;  // with its names, while branches are chosen
};

}  // namespace synth
