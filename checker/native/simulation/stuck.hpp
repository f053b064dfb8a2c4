// From which states of an instance its resident threads alone can end none of themselves.
//
// Where nothing is pre-empted and the pick is random, that decides hangs: a launch hangs if and only if every resident
// workgroup belongs to such an instance (docs/understand/sim.md has the argument). It depends on the state and the residents of one
// instance, so it is a table, made for each set of residents when that is met first.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "transitions/lts.hpp"

namespace synth {

class StuckTables {
public:
    // The system must outlive the tables.
    explicit StuckTables(const Lts& lts) : lts_(lts) {}

    // By state: 1 where these threads are stuck, else 0. What they name is of no meaning in states in which some of them
    // have ended. The table stays where it is.
    const std::uint8_t* of(ThreadSet residents) {
        if (residents >= few_.size()) return find(residents);
        const std::uint8_t*& table = few_[residents];
        return table != nullptr ? table : table = find(residents);
    }

private:
    const std::uint8_t* find(ThreadSet residents);

    const Lts& lts_;
    std::array<const std::uint8_t*, 32> few_{};  // those of the first five threads, known again at once
    std::unordered_map<ThreadSet, std::vector<std::uint8_t>> tables_;
};

}  // namespace synth
