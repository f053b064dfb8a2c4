#include "work/work.hpp"

#include <chrono>

namespace synth::detail {

void look_around() {
    using Clock = std::chrono::steady_clock;
    static thread_local Clock::time_point last{};
    done = 0;
    const Clock::time_point now = Clock::now();
    if (on_long_work == nullptr || now - last < std::chrono::milliseconds(50)) return;
    last = now;
    on_long_work();
}

}  // namespace synth::detail
