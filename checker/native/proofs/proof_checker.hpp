// Checks a proof that a formula has no model: a DRUP proof, each step a clause that follows by unit propagation from the
// formula and the clauses before it, or the removal of a clause; one is the empty clause.
//
// Both are texts, read in pieces of any size and never kept. The formula is in DIMACS form: comments, the header, a
// clause a line. A step is a line, too: literals and 0, or `d`, literals and 0, with one blank between two words. The
// removal of a clause that is not there removes nothing. Repeated literals count once; a clause with a literal and its
// negation says nothing, and is neither added nor removed. No step is ever accepted for another reason, such as RAT.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proofs/unit_propagation.hpp"

namespace synth {

class ProofChecker {
public:
    // Read the next piece of the text; whether what comes behind it still matters. First all of the formula is read.
    // If an exception of `worked` (work.hpp) ends this, nothing is proven.
    bool read_formula(std::string_view piece);
    bool read_proof(std::string_view piece);

    // Nothing if the proof, which has been read whole, shows that the formula has no model; else why it does not.
    std::optional<std::string> refusal();

    static constexpr std::size_t longest_line = std::size_t{1} << 24;

private:
    using TakeLine = void (ProofChecker::*)(std::string_view line);

    bool read(std::string_view piece, TakeLine take);
    void take(std::string_view line, TakeLine taker);
    void end_formula();
    void formula_line(std::string_view line);
    void proof_line(std::string_view line);
    bool read_literals(std::string_view text);
    void refuse(const std::string& reason);
    void refuse_line(const char* reason);

    UnitPropagation propagation_;
    std::string rest_;              // a line whose end has not come
    const char* text_ = "formula";  // what is being read
    std::uint64_t line_ = 0;        // of it
    bool has_header_ = false;
    std::uint64_t variables_ = 0;
    std::uint64_t announced_ = 0;  // clauses, by the header
    std::uint64_t clauses_ = 0;
    bool proven_ = false;
    std::optional<std::string> refusal_;
    Clause clause_;  // of the line that is being read
    bool is_tautology_ = false;
};

}  // namespace synth
