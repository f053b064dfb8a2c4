// The decisions of a search: how an edge, what an instruction does when it reads a value, can be decided.
#pragma once

#include <cstddef>
#include <vector>

namespace synth {

// For each thread, the location of each instruction.
using Shape = std::vector<std::vector<int>>;

inline constexpr int undecided = -2;  // of a field; no_exchange is one of the ways to decide an exchange

// A way to decide an edge that is read with a certain value.
struct Option {
    bool store;
    int exch;
    int target;  // undecided: the branch is not taken
};

struct Decision {
    int instruction, value;
    Option option;
};

}  // namespace synth
