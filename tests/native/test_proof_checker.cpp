// The checker of proofs on random texts, most of them proofs, cut into random pieces: nothing is read or written out of
// place, and no formula that has a model is refuted. tests/checker/test_proofs.py compares it with its twin.

#include <algorithm>
#include <string>
#include <vector>

#include "check.hpp"
#include "proofs/proof_checker.hpp"

using namespace testing;

namespace {

std::optional<std::string> refusal(const std::string& formula, const std::string& proof, Random& random) {
    synth::ProofChecker checker;
    const auto in_pieces = [&](const std::string& text, auto read) {
        for (std::size_t from = 0, size = 0; from < text.size(); from += size) {
            size = at(random.from_to(1, random.one_in(2) ? 9 : 5000));
            read(std::string_view(text).substr(from, size));
        }
    };
    in_pieces(formula, [&](std::string_view piece) { checker.read_formula(piece); });
    in_pieces(proof, [&](std::string_view piece) { checker.read_proof(piece); });
    return checker.refusal();
}

std::string line(const std::vector<int>& clause) {
    std::string text;
    for (const int literal : clause) text += std::to_string(literal) + ' ';
    return text + "0\n";
}

// Clauses of which each has a literal that is positive, so that all of them have a model; in a proof others, too.
std::vector<int> random_clause(Random& random, int variables, bool has_model) {
    std::vector<int> clause;
    if (has_model) clause.push_back(random.from_to(1, variables));
    while (!random.one_in(3)) clause.push_back(random.from_to(1, variables) * (random.one_in(2) ? -1 : 1));
    return clause;
}

void damage(Random& random, std::string& text) {
    while (!text.empty() && !random.one_in(3)) {
        const std::size_t place = at(random.below(static_cast<int>(text.size())));
        if (random.one_in(3)) text[place] = static_cast<char>(random.below(256));
        else if (random.one_in(2)) text.erase(place, at(random.from_to(1, 40)));
        else text.insert(place, text.substr(text.size() / 2, at(random.below(40))));
    }
}

void no_random_proof_refutes_a_formula_with_a_model() {
    for (int seed = 0; seed < 3000; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        const int variables = random.from_to(1, 9), clauses = random.below(30);
        std::vector<std::vector<int>> there;
        std::string formula = "p cnf " + std::to_string(variables) + " " + std::to_string(clauses) + "\n";
        for (int k = 0; k < clauses; ++k) formula += line(there.emplace_back(random_clause(random, variables, true)));
        std::string proof;
        for (int k = random.below(60); k > 0; --k) {
            if (!there.empty() && random.one_in(2)) {
                proof += "d " + line(there[at(random.below(static_cast<int>(there.size())))]);
            } else {
                proof += line(there.emplace_back(random_clause(random, variables, !random.one_in(9))));
            }
        }
        proof += "0\n";
        if (random.one_in(2)) damage(random, proof);
        CHECK(refusal(formula, proof, random).has_value());
        damage(random, formula);
        refusal(formula, proof, random);
    }
}

// So many that clauses are moved, and what is left is still used.
void clauses_come_and_go() {
    Random random(1);
    std::string formula = "p cnf 400 2\n-400 399 0\n-400 -399 0\n", proof, removed;
    for (int k = 0; k < 60'000; ++k) {
        const std::string clause = line({-400, 1 + k % 300, 301 + k % 97});
        proof += clause;
        removed += "d " + clause;
    }
    CHECK(refusal(formula, proof + removed + "0\n", random) ==
          "proof line 120001 does not follow by unit propagation");
    formula = "p cnf 400 4\n-400 399 0\n-400 -399 0\n400 398 0\n400 -398 0\n";
    CHECK(!refusal(formula, proof + removed + "-400 0\n0\n", random).has_value());
}

}  // namespace

int main() {
    no_random_proof_refutes_a_formula_with_a_model();
    clauses_come_and_go();
}
