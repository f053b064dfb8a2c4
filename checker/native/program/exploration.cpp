#include "program/exploration.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

constexpr int max_indices = 1 << 13;  // above this, a table of all state numbers costs more than hashing
constexpr int max_packed_threads = 8;
constexpr std::size_t state_by_hash = 20;  // steps of work

// values ** locations, or more than max_indices where it is large.
int count_memories(int locations, int values) {
    int memories = 1;
    for (int l = 0; l < locations && memories <= max_indices; ++l) memories *= values;
    return memories;
}

// What a byte adds to the hash of a state, so that a step changes the hash by what it changes of the state.
std::uint64_t mixed(std::size_t column, char byte) {
    std::uint64_t word = (column << 8 | static_cast<unsigned char>(byte)) + 1;
    word *= 0x9e3779b97f4a7c15;
    word = (word ^ (word >> 32)) * 0xd6e8feb86659fd93;
    return word ^ (word >> 32);
}

// States written out, a byte a memory location, then a byte a pc, one behind the other; numbered as they come, by open
// addressing with linear probing (Knuth, The Art of Computer Programming 3, section 6.4).
class WrittenStates {
public:
    explicit WrittenStates(std::size_t width) : width_(width) {}

    std::span<const char> operator[](int state) const {
        return std::span(bytes_).subspan(static_cast<std::size_t>(state) * width_, width_);
    }
    std::uint64_t hash(int state) const { return hashes_[static_cast<std::size_t>(state)]; }
    static std::uint64_t hash_of(std::span<const char> state) {
        std::uint64_t hash = 0;
        for (std::size_t column = 0; column < state.size(); ++column) hash += mixed(column, state[column]);
        return hash;
    }

    // The number of a state with this hash; the next one where it is new.
    int number(std::span<const char> state, std::uint64_t hash) {
        if (2 * hashes_.size() >= slots_.size()) grow();
        std::size_t slot = first_slot(hash);
        for (; slots_[slot] != free; slot = (slot + 1) & (slots_.size() - 1)) {
            const int known = slots_[slot];
            if (this->hash(known) == hash && std::ranges::equal((*this)[known], state)) return known;
        }
        slots_[slot] = static_cast<int>(hashes_.size());
        hashes_.push_back(hash);
        bytes_.insert(bytes_.end(), state.begin(), state.end());
        return slots_[slot];
    }

private:
    static constexpr int free = -1;

    std::size_t first_slot(std::uint64_t hash) const { return (hash ^ hash >> 32) & (slots_.size() - 1); }

    void grow() {
        slots_.assign(2 * slots_.size(), free);
        for (std::size_t state = 0; state < hashes_.size(); ++state) {
            std::size_t slot = first_slot(hashes_[state]);
            while (slots_[slot] != free) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = static_cast<int>(state);
        }
    }

    std::size_t width_;
    std::vector<char> bytes_;
    std::vector<std::uint64_t> hashes_;
    std::vector<int> slots_ = std::vector<int>(std::size_t{1} << 10, free);  // a power of two
};

}  // namespace

const Lts& Exploration::of(const Program& program) {
    const int threads = program.threads();
    if (threads > Lts::max_threads) {
        throw LimitFault("found a program of " + std::to_string(threads) + " threads, expected at most " +
                         std::to_string(Lts::max_threads));
    }
    observed_.assign(at(program.size()), 0);
    const int locations = program.locations();
    const int values = program.values();
    const int memories = count_memories(locations, values);
    long long indices = memories;
    for (int t = 0; t < threads && indices <= max_indices; ++t) indices *= program.size(t) + 1;
    if (indices <= max_indices && threads <= max_packed_threads) {
        explore_by_index(program, memories, locations, values);
    } else {
        explore_by_hash(program, locations);
    }
    return lts_;
}

// The value of each location in each memory, tabled since a batch asks for the same few over and over.
void Exploration::table_values(int memories, int locations, int values) {
    if (locations == tabled_locations_ && values == tabled_values_) return;
    tabled_locations_ = locations;
    tabled_values_ = values;
    value_of_.clear();
    for (int l = 0, weight = 1; l < locations; ++l, weight *= values) {
        for (int memory = 0; memory < memories; ++memory) {
            value_of_.push_back(static_cast<std::int8_t>(memory / weight % values));
        }
    }
}

void Exploration::explore_by_index(const Program& program, int memories, int locations, int values) {
    table_values(memories, locations, values);
    std::array<int, max_names> weight{};  // of a memory location in the number of a memory
    for (int l = 0, w = 1; l < locations; ++l, w *= values) weight[at(l)] = w;
    std::array<int, max_packed_threads> first{};
    std::array<int, max_packed_threads> size{};

    if (edges_.size() < at(program.size() * memories)) edges_.resize(at(program.size() * memories));
    LocalEdge* edge = edges_.data();
    int stride = memories;  // of a thread's pc in the number of a state
    const int threads = program.threads();
    for (int t = 0; t < threads; ++t) {
        first[at(t)] = program.first(t);
        size[at(t)] = program.size(t);
        for (int pc = 0; pc < size[at(t)]; ++pc) {
            const Instruction i = program[first[at(t)] + pc];
            const int w = i.writes() ? weight[at(i.loc)] : 0;
            const std::int8_t* const value_in = &value_of_[at(i.loc * memories)];
            for (int memory = 0; memory < memories; ++memory, ++edge) {
                const int value = value_in[memory];
                const int change = (i.exch - value) * w;
                const int advance = value == i.check ? i.target - pc : 1;
                edge->difference = change + advance * stride;
                edge->memory = static_cast<std::int16_t>(memory + change);
                edge->advance = static_cast<std::int8_t>(advance);
                edge->observation = static_cast<std::uint8_t>((value == i.check ? taken : not_taken) |
                                                              (change != 0 ? changed_memory : 0));
            }
        }
        stride *= size[at(t)] + 1;
    }

    constexpr std::int16_t unseen = -1;
    lts_.reserve(threads, stride);
    state_of_index_.assign(at(stride), unseen);
    if (places_.size() < at(stride)) places_.resize(at(stride));
    // Local copies: the stores below could alias what `this` points to, for all the compiler knows.
    const LocalEdge* const edges = edges_.data();
    Place* const places = places_.data();
    std::int16_t* const state_of_index = state_of_index_.data();
    std::uint8_t* const observed = observed_.data();
    places[0] = {0, 0, 0};
    state_of_index[0] = 0;
    lts_.search(threads, (ThreadSet{1} << threads) - 1, [&](int state, int t) -> int {
        const Place place = places[state];
        const int pc = static_cast<int>(place.pcs >> (8 * t) & 255);
        const int instruction = first[at(t)] + pc;
        const LocalEdge step = edges[instruction * memories + place.memory];
        observed[instruction] |= step.observation;
        std::int16_t& next = state_of_index[place.index + step.difference];
        if (next == unseen) {
            const bool ends = pc + step.advance == size[at(t)];
            next = static_cast<std::int16_t>(lts_.meet(lts_.live(state) & ~(ThreadSet{ends} << t)));
            const std::uint64_t advance = static_cast<std::uint64_t>(step.advance) << (8 * t);
            places[next] = {place.index + step.difference, step.memory, place.pcs + advance};  // no pc leaves its byte
        }
        return next;
    });
}

void Exploration::explore_by_hash(const Program& program, int locations) {
    const int threads = program.threads();
    WrittenStates states(at(locations + threads));
    std::vector<char> next(at(locations + threads), 0);
    states.number(next, states.hash_of(next));
    ThreadSet everyone = 0;
    for (int t = 0; t < threads; ++t) everyone |= ThreadSet{1} << t;
    lts_.search(threads, everyone, [&](int state, int t) {
        const std::span<const char> here = states[state];
        std::ranges::copy(here, next.begin());
        std::uint64_t hash = states.hash(state);
        const auto set = [&](int column, char to) {
            hash += mixed(at(column), to) - mixed(at(column), next[at(column)]);
            next[at(column)] = to;
        };
        const int pc = next[at(locations + t)];
        const int instruction = program.first(t) + pc;
        const Instruction i = program[instruction];
        const bool is_taken = next[at(i.loc)] == i.check;
        const bool changes = i.writes() && next[at(i.loc)] != i.exch;
        observed_[at(instruction)] |=
            static_cast<std::uint8_t>((is_taken ? taken : not_taken) | (changes ? changed_memory : 0));
        if (changes) set(i.loc, i.exch);
        const int after = is_taken ? i.target : pc + 1;
        set(locations + t, static_cast<char>(after));
        const int to = states.number(next, hash);
        if (to < lts_.states()) return to;
        worked(state_by_hash);
        if (to >= max_states) {
            throw LimitFault("this program has more than " + std::to_string(max_states) +
                             " states; use fewer threads or instructions");
        }
        return lts_.meet(lts_.live(state) & ~(ThreadSet{after == program.size(t)} << t));
    });
}

}  // namespace synth
