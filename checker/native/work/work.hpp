// Long work that can be stopped: a function that may take long reports now and then how much it has done.
//
// The core does not know why it should stop. The program that uses it sets `on_long_work`. This function is called about
// twenty times in a second of work, in the thread that works, and throws an exception if the work should end.
#pragma once

#include <cstddef>

namespace synth {

inline void (*on_long_work)() = nullptr;

namespace detail {

// So much work takes a few milliseconds.
constexpr std::size_t a_while = std::size_t{1} << 18;

inline constinit thread_local std::size_t done = 0;

// Calls on_long_work, unless it was called a moment ago.
void look_around();

}  // namespace detail

// Report that so many steps of work were done, of about ten nanoseconds each. Throws what on_long_work throws.
inline void worked(std::size_t steps) {
    detail::done += steps;
    if (detail::done >= detail::a_while) detail::look_around();
}

}  // namespace synth
