// Which of many tests are minimal. Neighbours that are of one orbit are decided together, where that can be done, and all
// others one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "minimality/minimality.hpp"
#include "minimality/orbit_minimality.hpp"
#include "verdicts/automaton.hpp"
#include "verdicts/verdicts.hpp"

namespace synth {

class MinimalFilter {
public:
    // `without` is the mask of the dropped rules, `automata` has those of the models for 1, 2, ... threads. Without
    // `by_orbits`, all tests are decided one by one. `shared` is what all processes know under these models, or null.
    MinimalFilter(std::uint32_t without, std::vector<std::vector<Automaton>> automata, std::vector<Forms> forms, bool by_orbits,
                  std::shared_ptr<SharedOrbits> shared = nullptr);

    // Take the next test, the id of a program in normal form, with its signature. Throws as Minimality::is_minimal, and
    // InputFault if the text is not an id.
    void take(std::string_view id, std::uint64_t signature);

    // Return whether the tests taken since the last call are minimal, a byte each.
    std::vector<char> decided();
    // Forget the tests taken since the last call of `decided`.
    void forget_taken() {
        members_.clear();
        decided_.clear();
    }

    // How many entries the memos have, and how many bytes the entries of usual size take.
    std::size_t known() const { return one_by_one_.known() + (by_orbits_ ? by_orbits_->known() : 0); }
    std::size_t bytes() const { return one_by_one_.bytes() + (by_orbits_ ? by_orbits_->bytes() : 0); }

private:
    void decide_orbit();

    Minimality one_by_one_;
    std::optional<OrbitMinimality> by_orbits_;
    std::size_t most_threads_ = 0;  // by orbits
    // The tests that were taken last, all of one orbit; the first of them has the number that comes after all decided.
    PackedProgram::Word orbit_ = 0;
    std::vector<OrbitMinimality::Member> members_;
    std::vector<char> decided_;
    Program program_;
};

}  // namespace synth
