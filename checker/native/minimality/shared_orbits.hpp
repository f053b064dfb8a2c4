// What is known of orbits by all processes of one machine: a table in a file that all of them map.
//
// A slot has the key of an orbit and what is known of it, 0 until then. A process that finds a free slot writes its key by
// one atomic operation, and what is known by another. So a process that is killed in between leaves an orbit of which
// nothing is known; the next one that asks finds out, and writes the same. Slots never change otherwise. If most slots are
// used, no orbit is added.
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
    static constexpr std::size_t usual_slots = std::size_t{1} << 23;  // 128 MB

    // Open the file of a name, or make it, with so many slots, a power of two. Return nothing if that is not possible, for
    // instance because the folder has no room, or because another user owns the file.
    static std::unique_ptr<SharedOrbits> open(const std::string& file, std::size_t slots = usual_slots);
    SharedOrbits(const SharedOrbits&) = delete;
    SharedOrbits& operator=(const SharedOrbits&) = delete;
    ~SharedOrbits();

    // What is known of an orbit, or 0.
    std::uint64_t find(std::uint64_t key) const;
    // Let all know of an orbit; all must say the same of it. Neither is 0.
    void insert(std::uint64_t key, std::uint64_t known);
    void fetch(std::uint64_t key) const { __builtin_prefetch(&slots_[first_place(key)]); }

private:
    struct Slot {
        std::uint64_t key, known;  // read and written by atomic operations only
    };
    static constexpr std::size_t farthest = 64;  // places from where a key would be first

    SharedOrbits(int descriptor, std::string file, Slot* slots, std::size_t count)
        : descriptor_(descriptor), file_(std::move(file)), slots_(slots), count_(count) {}

    std::size_t first_place(std::uint64_t key) const {
        key = (key ^ key >> 32) * 0x9e3779b97f4a7c15;
        return (key ^ key >> 29) & (count_ - 1);
    }

    int descriptor_;
    std::string file_;
    Slot* slots_;
    std::size_t count_;
};

}  // namespace synth
