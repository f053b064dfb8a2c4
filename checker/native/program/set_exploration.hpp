// Explore a packed program by sets of states, without a graph of them (`Exploration` and `RuleChecker` are the twins).
//
// The number of a state is its memory, four for two locations of two values, and four times the number of its combination of
// pcs. So what an instruction does where its location has one value adds the same to all these numbers (as in
// search/explicit_search.hpp). A few hundred operations on words find what is reached, what can end, and what can be on a
// cycle.
#pragma once

#include <array>
#include <cstdint>

#include "program/packed_program.hpp"
#include "transitions/set_lts.hpp"

namespace synth {

class SetExploration {
public:
    // Explore a program, and return whether that is possible: it has at most 64 states, reached or not.
    bool explore(const PackedProgram& program);

    // The system of the last explored program, and the rules that it breaks, as `RuleChecker::broken`.
    const SetLts& lts() const { return lts_; }
    std::uint32_t broken() const { return broken_; }

private:
    bool number_states(const PackedProgram& program);
    void read(const PackedProgram& program);
    std::uint32_t observed(const PackedProgram& program) const;
    StateSet cycles() const;

    SetLts lts_;
    std::uint32_t broken_ = 0;

    // By the sizes of the threads, since neighbours often have the same.
    std::uint64_t sizes_ = 0;
    std::array<int, SetLts::max_threads> stride_{};  // of a thread's pc in the number of a state
    std::array<std::array<StateSet, PackedProgram::max_thread + 1>, SetLts::max_threads> at_{};  // by thread and pc
};

}  // namespace synth
