// The two faults the core can report; module.cpp turns them into the exceptions of synth_checker.errors.
#pragma once

#include <stdexcept>

namespace synth {

// Something that cannot be read.
struct InputFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Something beyond what can be decided: said, never answered wrongly.
struct LimitFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace synth
