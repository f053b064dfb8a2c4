// The rewritings (rewritings.hpp) of a packed program that may keep all rules.
//
// To make the two values one leaves nothing that a branch could wait for, so only the two locations can become one. The
// exchange branches of each thread give it some forms. What decides whether the rules may hold is a few bits of each form,
// so most combinations of forms cost a few operations. `Rewritings` is the twin.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "program/packed_program.hpp"

namespace synth {

class PackedRewritings {
public:
    // Find the rewritings of a program, and the program itself if `itself` is true. The result is valid until the next
    // call. Its programs have the threads of the program, in the same order.
    const std::vector<PackedProgram>& of(const PackedProgram& program, bool itself);

private:
    struct Form {
        PackedProgram::Word word;
        PackedProgram::Uses uses;
    };

    void combine(int thread, bool is_other);

    PackedProgram made_;
    std::array<std::vector<Form>, Orders::max_threads> forms_;
    std::array<PackedProgram::Uses, Orders::max_threads> uses_{};
    std::vector<PackedProgram> found_;
};

}  // namespace synth
