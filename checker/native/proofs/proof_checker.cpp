#include "proofs/proof_checker.hpp"

#include <algorithm>

namespace synth {

namespace {

// A number of at most so many digits without a leading zero, taken off the front of a text; nothing where there is none.
std::optional<std::uint64_t> take_number(std::string_view& text, std::size_t most_digits) {
    std::size_t digits = 0;
    std::uint64_t number = 0;
    for (; digits < text.size() && '0' <= text[digits] && text[digits] <= '9'; ++digits) {
        if (digits == most_digits || (digits == 1 && number == 0)) return std::nullopt;
        number = 10 * number + static_cast<std::uint64_t>(text[digits] - '0');
    }
    if (digits == 0) return std::nullopt;
    text.remove_prefix(digits);
    return number;
}

bool take_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

constexpr std::size_t digits_of_variables = 7, digits_of_clauses = 12;

}  // namespace

bool ProofChecker::read_formula(std::string_view piece) {
    if (text_ != std::string_view("formula")) refuse("the formula continues after the proof");
    return read(piece, &ProofChecker::formula_line);
}

bool ProofChecker::read_proof(std::string_view piece) {
    end_formula();
    return read(piece, &ProofChecker::proof_line);
}

std::optional<std::string> ProofChecker::refusal() {
    end_formula();
    if (!rest_.empty()) take({}, &ProofChecker::proof_line);
    if (!proven_) refuse("the empty clause is not in the proof");
    return refusal_;
}

bool ProofChecker::read(std::string_view piece, TakeLine taker) {
    for (std::size_t end = 0; !refusal_ && (end = piece.find('\n')) != piece.npos; piece.remove_prefix(end + 1)) {
        take(piece.substr(0, end), taker);
    }
    if (!refusal_) rest_ += piece;
    if (rest_.size() > longest_line) take({}, taker);
    return !refusal_;
}

// Take a line that ends here, of which the beginning may have come before.
void ProofChecker::take(std::string_view line, TakeLine taker) {
    if (refusal_) return;
    if (!rest_.empty()) line = rest_ += line;
    ++line_;
    if (line.size() > longest_line) {
        refuse_line("is too long for a clause");
    } else {
        // What ends in the middle leaves literals assigned that do not hold.
        try {
            (this->*taker)(line);
        } catch (...) {
            refuse_line("was not checked to its end");
            throw;
        }
    }
    rest_.clear();
}

void ProofChecker::end_formula() {
    if (text_ == std::string_view("proof")) return;
    if (!rest_.empty()) take({}, &ProofChecker::formula_line);
    if (!has_header_) refuse("the formula has no header");
    if (clauses_ != announced_) {
        refuse("the formula has " + std::to_string(clauses_) + " clauses, its header says " + std::to_string(announced_));
    }
    text_ = "proof";
    line_ = 0;
}

void ProofChecker::formula_line(std::string_view line) {
    if (!has_header_) {
        if (line.starts_with('c')) return;
        const bool begins = take_word(line, "p cnf ");
        const auto variables = take_number(line, digits_of_variables);
        const bool goes_on = take_word(line, " ");
        const auto clauses = take_number(line, digits_of_clauses);
        if (!begins || !variables || !goes_on || !clauses || !line.empty()) {
            return refuse_line("is neither a comment nor a header, such as 'p cnf 5 8'");
        }
        has_header_ = true;
        variables_ = *variables;
        announced_ = *clauses;
        return;
    }
    if (!read_literals(line)) return refuse_line("is not a clause: literals of the header's variables, and then 0");
    ++clauses_;
    if (!is_tautology_) propagation_.add(clause_);
}

void ProofChecker::proof_line(std::string_view line) {
    const bool removes = take_word(line, "d ");
    if (!read_literals(line)) return refuse_line("is not a step: literals of the formula's variables and 0, maybe after 'd'");
    if (is_tautology_) return;
    if (removes) return propagation_.remove(clause_);
    if (!propagation_.implies(clause_)) return refuse_line("does not follow by unit propagation");
    propagation_.add(clause_);
    proven_ = proven_ || clause_.empty();
}

// The literals of a line that is ended by 0, made a clause; false if it is no such line.
bool ProofChecker::read_literals(std::string_view text) {
    clause_.clear();
    while (text != "0") {
        const bool negated = take_word(text, "-");
        const auto variable = take_number(text, digits_of_variables);
        if (!variable || *variable == 0 || *variable > variables_ || !take_word(text, " ")) return false;
        clause_.push_back(static_cast<Literal>(2 * *variable + (negated ? 1 : 0)));
    }
    std::ranges::sort(clause_);
    clause_.erase(std::ranges::unique(clause_).begin(), clause_.end());
    is_tautology_ = std::ranges::adjacent_find(clause_, [](Literal one, Literal other) {
                        return other == negation(one);
                    }) != clause_.end();
    return true;
}

void ProofChecker::refuse(const std::string& reason) {
    if (!refusal_) refusal_ = reason;
}

void ProofChecker::refuse_line(const char* reason) {
    refuse(std::string(text_) + " line " + std::to_string(line_) + " " + reason);
}

}  // namespace synth
