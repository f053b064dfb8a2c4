// The two faults that the core can report; bindings/errors.cpp turns them into the exceptions of synth_checker.errors.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace synth {

// A fault, and the id of the program it is about, where that is known.
struct Fault : std::runtime_error {
    explicit Fault(const std::string& why, std::string_view about = {}) : std::runtime_error(why), id(about) {}
    std::string id;
};

// Something that cannot be read.
struct InputFault : Fault {
    using Fault::Fault;
};

// Something that exceeds a limit. The core throws this instead of giving a wrong answer.
struct LimitFault : Fault {
    using Fault::Fault;
};

}  // namespace synth
