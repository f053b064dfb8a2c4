// Which tests are minimal: no sub-program is a test with the same signature (definitions, section 6).
//
// Deletions commute with the other relaxations, so each sub-program with fewer instructions is a rewriting (rewritings.hpp)
// of what deletions alone make of the program: whatever else is done to an instruction that is deleted, or that the
// deletion of what it jumps over makes a store or a no-op, deleting that one does too.
//
// A memo has, for each program that deletions make, the signatures of all tests among it and its sub-programs. So each is
// judged once, whichever tests it is a sub-program of, and the tests to be filtered may come in any order and number.
// Nothing is taken from them: whether a sub-program is a test is decided here. Nine in ten tests are settled by deletions
// alone, so those have a memo of their own, and rewritings are looked for only where it does not tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "minimality/program_map.hpp"
#include "minimality/relaxations.hpp"
#include "minimality/rewritings.hpp"
#include "minimality/signature_sets.hpp"
#include "program/program.hpp"
#include "program/rules.hpp"
#include "verdicts/verdicts.hpp"

namespace synth {

class Minimality {
public:
    // `without` is the mask of the dropped rules, `judges` are those for 1, 2, ... threads under the models in force.
    Minimality(std::uint32_t without, std::vector<Judge> judges);

    // Whether no sub-program of a program in normal form is a test with this signature.
    // Throws InputFault where the program has more threads than there are judges, LimitFault where it has too many
    // sub-programs or one of them too many states.
    bool is_minimal(const Program& program, std::uint64_t signature);

    // How many entries the memos have by now, and how many bytes those of usual size take.
    std::size_t known() const { return own_.size() + by_deletions_.size() + at_or_below_.size(); }
    std::size_t bytes() const { return own_.bytes() + by_deletions_.bytes() + at_or_below_.bytes(); }

private:
    using Set = SignatureSets::Set;

    // What is needed of a program while others are made of it.
    struct Frame {
        std::vector<Relaxation> deletions;
        Program relaxed;
    };

    Frame& frame(std::size_t depth);
    using Signatures = Set (Minimality::*)(const Program& program, std::size_t depth);

    bool has_below(const Program& program, std::uint64_t signature, Signatures signatures_of);
    Set all_below(const Program& program, std::size_t depth, Signatures signatures_of);
    Set by_deletions(const Program& program, std::size_t depth);
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
    ProgramMap own_;  // the signature of each program that is a test, and none of others
    ProgramMap by_deletions_, at_or_below_;
    Program normal_;
    std::deque<Frame> frames_;  // by depth; a deque, since those above stay where they are
};

}  // namespace synth
