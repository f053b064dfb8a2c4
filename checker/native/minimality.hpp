// Which tests are minimal: no sub-program is a test with the same signature (definitions, section 6).
//
// Deletions commute with the other relaxations, so each sub-program with fewer instructions is a rewriting (rewritings.hpp)
// of what deletions alone make of the program: whatever else is done to an instruction that is deleted, or that the
// deletion of what it jumps over makes a store or a no-op, deleting that one does too.
//
// A memo has, for each program that deletions make, the set of the signatures of all tests among it and its sub-programs.
// So each is judged once, whichever tests it is a sub-program of, and the tests to be filtered may come in any order and
// number. Nothing is taken from them: whether a sub-program is a test is decided here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "program.hpp"
#include "program_map.hpp"
#include "relaxations.hpp"
#include "rewritings.hpp"
#include "rules.hpp"
#include "signature_sets.hpp"
#include "verdicts.hpp"

namespace synth {

class Minimality {
public:
    // `without` is the mask of the dropped rules, `judges` are those for 1, 2, ... threads under the models in force.
    Minimality(std::uint32_t without, std::vector<Judge> judges);

    // Whether no sub-program of a program in normal form is a test with this signature.
    // Throws InputFault where the program has more threads than there are judges, LimitFault where it has too many
    // sub-programs or one of them too many states.
    bool is_minimal(const Program& program, std::uint64_t signature);

    // How many programs are known by now, and how many bytes those of usual size take.
    std::size_t known() const { return memo_.size() + tests_.size(); }
    std::size_t bytes() const { return memo_.bytes() + tests_.bytes(); }

private:
    using Set = SignatureSets::Set;

    // What is needed of a program while others are made of it.
    struct Frame {
        std::vector<Relaxation> deletions;
        Program relaxed;
    };

    Frame& frame(std::size_t depth);
    Set at_or_below(const Program& program, std::size_t depth);
    Set own(const Program& program);
    bool is_test(const Program& program);
    std::uint64_t signature_of_last_test();

    std::uint32_t in_force_;
    bool keep_store_checks_;
    Relaxer relaxer_;
    Rewritings rewritings_;
    RuleChecker rules_;
    std::vector<Judge> judges_;
    SignatureSets sets_;
    ProgramMap memo_;
    ProgramMap tests_;  // the signature of each rewriting that is a test, or none
    Program normal_;
    std::deque<Frame> frames_;  // by depth; a deque, since those above stay where they are
};

}  // namespace synth
