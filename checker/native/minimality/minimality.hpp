// Decide which tests are minimal: no sub-program is a test with the same signature (definitions, section 6).
//
// Deletions commute with the other relaxations. So each sub-program with fewer instructions is a rewriting (rewritings.hpp)
// of a program that deletions alone give. Another relaxation of an instruction that is later deleted makes no difference.
// Nor does one of an instruction that becomes a store or a no-op when the instructions that it jumps over are deleted.
//
// A memo holds, for each program that deletions give, the signatures of all tests among it and its sub-programs. So each
// program is judged once, even if it is a sub-program of several tests. The tests may come in any order. Whether a
// sub-program is a test is decided here, and not taken from the list of tests. Deletions alone decide nine in ten tests, so
// these have a memo of their own, and rewritings are tried only if that memo does not decide.
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
    // `without` is the mask of the dropped rules; `judges` are the judges for 1, 2, ... threads under the models in force.
    Minimality(std::uint32_t without, std::vector<Judge> judges);

    // Return whether no sub-program of a program in normal form is a test with this signature.
    // Throws InputFault if the program has more threads than there are judges, and LimitFault if it has too many
    // sub-programs or one of them has too many states.
    bool is_minimal(const Program& program, std::uint64_t signature);

    // How many entries the memos have, and how many bytes the entries of usual size take.
    std::size_t known() const { return own_.size() + by_deletions_.size() + at_or_below_.size(); }
    std::size_t bytes() const { return own_.bytes() + by_deletions_.bytes() + at_or_below_.bytes(); }

private:
    using Set = SignatureSets::Set;

    // The data that is needed while sub-programs are made from a program.
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
    std::deque<Frame> frames_;  // by depth; in a deque, earlier frames do not move
};

}  // namespace synth
