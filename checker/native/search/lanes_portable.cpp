// The search in lanes for any processor: a lane is a machine word.

#include "search/lane_batches.hpp"

namespace {

struct Portable {
    using V = Word;
    static constexpr int vectors = 4;
    static V count(V by) { return by; }
    static V rotated(V x, V forth, V) { return x << (forth & 63) | x >> (-forth & 63); }  // one instruction
};

}  // namespace

namespace synth::lanes {

Word examine_portable(const Tables& tables, Work& work, Word steps) { return examine_in<Portable>(tables, work, steps); }

}  // namespace synth::lanes
