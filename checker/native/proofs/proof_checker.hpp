// Checks a DRUP proof that a formula is unsatisfiable. Each step of the proof adds a clause, which must follow by unit
// propagation from the clauses before it, or removes a clause. One of the steps must add the empty clause.
//
// Formula and proof are texts, which are read in pieces of any size and not kept. The formula is in DIMACS form: comments,
// the header, and one clause on each line. A step is a line: literals and 0, or `d`, literals and 0, with one space between
// two words. The removal of a clause that is absent is ignored. Repeated literals count once. A clause with a literal and
// its negation is always true, and is neither added nor removed. A step is never accepted for another reason, such as RAT.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "proofs/unit_propagation.hpp"

namespace synth {

class ProofChecker {
public:
    // Read the next piece of the text, and return whether the following pieces still matter. The whole formula comes
    // first. If an exception of `worked` (work.hpp) ends the call, nothing is proven.
    bool read_formula(std::string_view piece);
    bool read_proof(std::string_view piece);

    // After the whole proof was read: return nothing if it shows that the formula is unsatisfiable, else why it does not.
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
