#include "minimality/program_map.hpp"

#include "work/faults.hpp"

namespace synth {

namespace {

constexpr int max_packed_size = 8;
constexpr int max_packed_names = 4;  // locations, and values
constexpr int bits = 12;             // of an instruction
constexpr int low_bits = 64;         // of the 96; the instruction that starts below and ends above is in both words
constexpr std::size_t first_slots = 1 << 10;

// Starts a thread, location, check, exchange, target: 1 + 2 + 2 + 3 + 4 bits. An exchange, be it none, is never 0: else
// a program that ends with `00_0` would be packed like the one without.
std::uint64_t packed(const Instruction& i, bool is_first) {
    const auto field = [](int value) { return static_cast<std::uint64_t>(value); };
    const int exch = i.writes() ? i.exch + 1 : max_packed_names + 1;
    return field(is_first) | field(i.loc) << 1 | field(i.check) << 3 | field(exch) << 5 | field(i.target) << 8;
}

}  // namespace

ProgramMap::ProgramMap() : slots_(first_slots) {}

bool ProgramMap::pack(const Program& program, Slot& slot) {
    if (program.size() == 0 || program.size() > max_packed_size) return false;
    slot = {};
    int at = 0;
    for (int t = 0; t < program.threads(); ++t) {
        bool is_first = true;
        for (const Instruction& i : program.thread(t)) {
            if (i.loc >= max_packed_names || i.check >= max_packed_names || i.exch >= max_packed_names) return false;
            const std::uint64_t one = packed(i, is_first);
            is_first = false;
            if (at < low_bits) slot.low |= one << at;
            if (at + bits > low_bits) {
                slot.high |= static_cast<std::uint32_t>(at < low_bits ? one >> (low_bits - at) : one << (at - low_bits));
            }
            at += bits;
        }
    }
    return true;
}

// Where a key is, or would be put.
std::size_t ProgramMap::place_of(const Slot& key) const {
    std::uint64_t hash = (key.low ^ key.high * 0x9e3779b97f4a7c15) * 0xff51afd7ed558ccd;
    hash = (hash ^ hash >> 32) * 0xc4ceb9fe1a85ec53;
    const std::size_t mask = slots_.size() - 1;
    std::size_t place = (hash ^ hash >> 29) & mask;
    while (slots_[place].low != 0 && (slots_[place].low != key.low || slots_[place].high != key.high)) {
        place = (place + 1) & mask;
    }
    return place;
}

ProgramMap::Number ProgramMap::find(const Program& program) const {
    Slot key;
    if (pack(program, key)) {
        const Slot& slot = slots_[place_of(key)];
        return slot.low == 0 ? missing : slot.number;
    }
    const auto found = unpacked_.find(program.id());
    return found == unpacked_.end() ? missing : found->second;
}

void ProgramMap::insert(const Program& program, Number number) {
    Slot key;
    if (pack(program, key)) {
        if ((packed_ + 1) * 4 > slots_.size() * 3) grow();
        key.number = number;
        slots_[place_of(key)] = key;
        ++packed_;
    } else if (unpacked_.size() < max_unpacked) {
        unpacked_.emplace(program.id(), number);
    } else {
        throw LimitFault("found a program with more than " + std::to_string(max_unpacked) + " sub-programs");
    }
}

void ProgramMap::grow() {
    std::vector<Slot> smaller(slots_.size() * 2);
    smaller.swap(slots_);
    for (const Slot& slot : smaller) {
        if (slot.low != 0) slots_[place_of(slot)] = slot;
    }
}

}  // namespace synth
