// The search in lanes for any processor: a lane is a machine word.

#include "search/lane_batches.hpp"

namespace {

struct Portable {
    using V = Word;
    static constexpr int vectors = 4;
    using Turn = V;
    static Turn turn(V by) { return by; }
    static V rotated(V x, Turn by) { return x << (by & 63) | x >> (-by & 63); }  // one instruction
    static V rotated_back(V x, Turn by) { return x >> (by & 63) | x << (-by & 63); }
    static Word zeros(V x) { return x == 0; }
};

}  // namespace

namespace synth::lanes {

Word examine_portable(const Tables& tables, Work& work, Word steps) { return examine_in<Portable>(tables, work, steps); }

}  // namespace synth::lanes
