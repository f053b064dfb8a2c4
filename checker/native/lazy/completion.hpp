// Find the completions of a skeleton: all tests that agree with a given program except in a few open instructions.
//
// The lazy mode of the SAT engine uses this, because it asks the solver only for skeletons. The open instructions are
// filled in one after the other, each when some execution reaches it. If no execution reaches one, there is no test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lazy/split_states.hpp"
#include "program/program.hpp"

namespace synth {

class Completion {
public:
    // `open` are the places to fill in; `without` is the mask of dropped rules. Throws InputFault if a place is wrong.
    Completion(const SplitStates& states, std::vector<int> open, std::uint32_t without);

    // Return the ids of the tests, in normal form. Throws InputFault if the skeleton belongs to another split.
    std::vector<std::string> complete(const Program& skeleton);

private:
    using Places = std::uint64_t;  // a bit a place
    struct Seen {
        Places executed = 0, taken = 0, fell = 0, changed = 0;
    };
    struct Candidate {
        Instruction instruction;
        std::vector<Outcome> outcomes;  // [memory]
    };

    std::vector<Candidate> candidates(int place) const;
    void fill_in(Places left, Seen seen);
    void grow(std::size_t from, Places left, Seen& seen);
    void step(int state, int place, Seen& seen);
    bool is_test(const Seen& seen);
    bool influences() const;
    bool always_can_end();
    bool has_cycle();
    template <class Keep>
    std::size_t spread(std::size_t marked, Keep keep);

    const SplitStates& states_;
    std::vector<int> open_;
    std::uint32_t without_;
    std::vector<std::vector<Candidate>> candidates_;  // [open place]
    std::vector<Instruction> program_;
    std::vector<std::vector<Outcome>> outcomes_;  // [place][memory]
    GrowingSet reached_;
    std::vector<char> marked_;
    std::vector<std::string> ids_;
};

}  // namespace synth
