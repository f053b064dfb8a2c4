// Random numbers that depend on a seed alone and are the same on every machine: SplitMix64 (Steele, Lea, Flood, OOPSLA
// 2014). The twin in Python draws the same ones.
#pragma once

#include <cstdint>

namespace synth {

class RandomNumbers {
public:
    // Each stream of a seed is another sequence.
    RandomNumbers(std::uint64_t seed, std::uint64_t stream) : state_(seed) {
        state_ = next() + stream;
        state_ = next();
    }

    std::uint64_t next() {
        std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }

    // A number below `bound`, which is at least 1. The chances of two numbers differ by less than bound / 2^32 of each.
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((next() >> 32) * bound) >> 32); }

private:
    std::uint64_t state_;
};

}  // namespace synth
