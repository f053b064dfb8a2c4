// A map from the keys of orbits (packed_program.hpp) to two numbers. A slot takes 16 bytes, and at most three of four are
// used; open addressing with linear probing (Knuth, The Art of Computer Programming 3, section 6.4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace synth {

class OrbitMap {
public:
    using Number = std::uint32_t;
    static constexpr Number missing = ~Number{0};

    struct Slot {
        std::uint64_t key = 0;  // 0: it is free
        Number one = missing, other = missing;
    };

    OrbitMap() : slots_(std::size_t{1} << 10) {}

    // The slot of a key, which is made if it is missing. It is valid until the next call.
    Slot& operator[](std::uint64_t key) {
        Slot* slot = place_of(key);
        if (slot->key != 0) return *slot;
        if ((size_ + 1) * 4 > slots_.size() * 3) {
            grow();
            slot = place_of(key);
        }
        ++size_;
        slot->key = key;
        return *slot;
    }

    // Fetch the memory of a key that will be asked for.
    void fetch(std::uint64_t key) const { __builtin_prefetch(&slots_[first_place(key)]); }

    std::size_t size() const { return size_; }
    std::size_t bytes() const { return slots_.size() * sizeof(Slot); }

private:
    std::size_t first_place(std::uint64_t key) const {
        key = (key ^ key >> 32) * 0x9e3779b97f4a7c15;
        return (key ^ key >> 29) & (slots_.size() - 1);
    }
    Slot* place_of(std::uint64_t key) {
        std::size_t place = first_place(key);
        while (slots_[place].key != 0 && slots_[place].key != key) place = (place + 1) & (slots_.size() - 1);
        return &slots_[place];
    }
    void grow() {
        std::vector<Slot> smaller(slots_.size() * 2);
        smaller.swap(slots_);
        for (const Slot& slot : smaller) {
            if (slot.key != 0) *place_of(slot.key) = slot;
        }
    }

    std::vector<Slot> slots_;
    std::size_t size_ = 0;
};

}  // namespace synth
