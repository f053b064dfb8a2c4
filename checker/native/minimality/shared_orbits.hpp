// What is known of orbits by all processes of one machine: a table in a file that all of them map.
//
// The table never grows, and never fills up. A key may be in any slot of its bucket, which is a line of the processor's
// cache. If the bucket is full, a new orbit takes the slot of another, of which nothing is known from then on. A process
// that asks for it finds out again.
//
// A slot holds what is known, and a check: the key, with a hash of what is known added to it bit by bit. Two processes that
// write a slot at once, or one that is killed in between, may leave halves of different orbits there. The check then fits
// no key that anybody asks for, but with a probability of one in 2^64. So nobody needs a lock. The idea is that of Hyatt and
// Mann, A lock-less transposition table implementation for parallel search chess engines (ICGA Journal, 2002); there, the
// check has what is known itself and not its hash, which is not enough where keys and what is known are alike.
//
// Whoever opens a file holds a shared lock on it. Whoever closes it last removes it; one that was left behind, because all
// its processes were killed, is used again. The folder must be in memory or on a disk of this machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace synth {

class SharedOrbits {
public:
    // Open the file of a name, or make it, with so many slots, of 16 bytes each; a power of two, and at least a bucket. Return
    // nothing if that is not possible, for instance because the folder has no room, another user owns the file, or it has
    // another size.
    static std::unique_ptr<SharedOrbits> open(const std::string& file, std::size_t slots);
    SharedOrbits(const SharedOrbits&) = delete;
    SharedOrbits& operator=(const SharedOrbits&) = delete;
    ~SharedOrbits();

    // What is known of an orbit, or 0.
    std::uint64_t find(std::uint64_t key) const;
    // Let all know of an orbit; all must say the same of it. Neither is 0.
    void insert(std::uint64_t key, std::uint64_t known);
    void fetch(std::uint64_t key) const { __builtin_prefetch(bucket_of(key)); }

private:
    struct Slot {
        std::uint64_t check, known;  // read and written by atomic operations only; `known` is 0 in a free slot
    };
    static constexpr std::size_t in_bucket = 4;

    SharedOrbits(int descriptor, std::string file, Slot* slots, std::size_t count)
        : descriptor_(descriptor), file_(std::move(file)), slots_(slots), count_(count) {}

    Slot* bucket_of(std::uint64_t key) const {
        key = (key ^ key >> 32) * 0x9e3779b97f4a7c15;
        return slots_ + ((key ^ key >> 29) & (count_ - in_bucket));
    }

    int descriptor_;
    std::string file_;
    Slot* slots_;
    std::size_t count_;
};

}  // namespace synth
