#include "lts.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "faults.hpp"

namespace synth {

namespace {

constexpr int max_indices = 1 << 13;  // above this, a table of all state numbers costs more than hashing
constexpr int max_packed_threads = 8;

// values ** locations, or more than max_indices where it is large.
int count_memories(int locations, int values) {
    int memories = 1;
    for (int l = 0; l < locations && memories <= max_indices; ++l) memories *= values;
    return memories;
}

}  // namespace

void Lts::explore(const Program& program) {
    threads_ = program.threads();
    if (threads_ > max_threads) {
        throw LimitFault("found a program of " + std::to_string(threads_) + " threads, expected at most " +
                         std::to_string(max_threads));
    }
    observed_.assign(static_cast<std::size_t>(program.size()), 0);
    const int locations = program.locations();
    const int values = program.values();
    const int memories = count_memories(locations, values);
    long long indices = memories;
    for (int t = 0; t < threads_ && indices <= max_indices; ++t) indices *= program.size(t) + 1;
    if (indices <= max_indices && threads_ <= max_packed_threads) {
        explore_by_index(program, memories, locations, values);
    } else {
        explore_by_hash(program, locations);
    }
}

void Lts::table_values(int memories, int locations, int values) {
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

void Lts::explore_by_index(const Program& program, int memories, int locations, int values) {
    table_values(memories, locations, values);
    std::array<int, 36> weight{};  // of a memory location in the number of a memory
    for (int l = 0, w = 1; l < locations; ++l, w *= values) weight[static_cast<std::size_t>(l)] = w;

    edges_.resize(static_cast<std::size_t>(program.size() * memories));
    LocalEdge* edge = edges_.data();
    int stride = memories;  // of a thread's pc in the number of a state
    std::uint64_t starts_live = 0;
    for (int t = 0; t < threads_; ++t) {
        const auto thread = program.thread(t);
        for (int pc = 0; pc < static_cast<int>(thread.size()); ++pc) {
            const Instruction i = thread[static_cast<std::size_t>(pc)];
            const int w = weight[static_cast<std::size_t>(i.loc)];
            const std::int8_t* value_in = &value_of_[static_cast<std::size_t>(i.loc * memories)];
            for (int memory = 0; memory < memories; ++memory, ++edge) {
                const int value = value_in[memory];
                const bool is_taken = value == i.check;
                const int next = is_taken ? i.target : pc + 1;
                const int after = i.writes() ? memory + (i.exch - value) * w : memory;
                edge->difference = (after - memory) + (next - pc) * stride;
                edge->memory = static_cast<std::int16_t>(after);
                edge->pc = static_cast<std::int8_t>(next);
                edge->observation = static_cast<std::uint8_t>((is_taken ? taken : not_taken) |
                                                              (after != memory ? changed_memory : 0));
            }
        }
        stride *= program.size(t) + 1;
        starts_live |= std::uint64_t{1} << t;
    }

    constexpr std::int16_t unseen = -1;
    const auto most = static_cast<std::size_t>(stride);
    state_of_index_.assign(most, unseen);
    if (places_.size() < most) places_.resize(most);
    if (live_.size() < most) live_.resize(most);
    if (successors_.size() < most * static_cast<std::size_t>(threads_)) {
        successors_.resize(most * static_cast<std::size_t>(threads_));
    }
    places_[0] = {0, 0, 0};
    live_[0] = static_cast<ThreadSet>(starts_live);
    state_of_index_[0] = 0;
    states_ = 1;
    int* successor = successors_.data();
    for (int state = 0; state < states_; ++state) {
        const Place place = places_[static_cast<std::size_t>(state)];
        const ThreadSet live = live_[static_cast<std::size_t>(state)];
        for (int t = 0; t < threads_; ++t, ++successor) {
            if (!(live >> t & 1)) {
                *successor = -1;
                continue;
            }
            const int at = program.first(t) + static_cast<int>(place.pcs >> (8 * t) & 255);
            const LocalEdge& step = edges_[static_cast<std::size_t>(at * memories + place.memory)];
            observed_[static_cast<std::size_t>(at)] |= step.observation;
            const int index = place.index + step.difference;
            std::int16_t& next = state_of_index_[static_cast<std::size_t>(index)];
            if (next == unseen) {
                const auto number = static_cast<std::size_t>(states_);
                next = static_cast<std::int16_t>(states_++);
                const std::uint64_t others = place.pcs & ~(std::uint64_t{255} << (8 * t));
                places_[number] = {index, step.memory, others | static_cast<std::uint64_t>(step.pc) << (8 * t)};
                live_[number] = step.pc == program.size(t) ? live & ~(ThreadSet{1} << t) : live;
            }
            *successor = next;
        }
    }
}

void Lts::explore_by_hash(const Program& program, int locations) {
    // A state is written out, a byte a memory location, then a byte a pc.
    live_.clear();
    successors_.clear();
    states_ = 0;
    std::unordered_map<std::string, int> state_of;
    std::vector<const std::string*> written;
    const auto number = [&](const std::string& state) {
        const auto [at, is_new] = state_of.try_emplace(state, static_cast<int>(written.size()));
        if (is_new) {
            if (written.size() >= max_states) {
                throw LimitFault("found a program of more than " + std::to_string(max_states) + " states");
            }
            written.push_back(&at->first);
            ThreadSet live = 0;
            for (int t = 0; t < threads_; ++t) {
                if (state[static_cast<std::size_t>(locations + t)] < program.size(t)) live |= ThreadSet{1} << t;
            }
            live_.push_back(live);
            ++states_;
        }
        return at->second;
    };
    number(std::string(static_cast<std::size_t>(locations + threads_), '\0'));
    for (int state = 0; state < states(); ++state) {
        for (int t = 0; t < threads_; ++t) {
            if (!(live(state) >> t & 1)) {
                successors_.push_back(-1);
                continue;
            }
            std::string next = *written[static_cast<std::size_t>(state)];
            char& pc = next[static_cast<std::size_t>(locations + t)];
            const int at = program.first(t) + pc;
            const Instruction i = program[at];
            char& value = next[static_cast<std::size_t>(i.loc)];
            const bool is_taken = value == i.check;
            const bool changes = i.writes() && value != i.exch;
            observed_[static_cast<std::size_t>(at)] |=
                static_cast<std::uint8_t>((is_taken ? taken : not_taken) | (changes ? changed_memory : 0));
            if (i.writes()) value = i.exch;
            pc = static_cast<char>(is_taken ? i.target : pc + 1);
            successors_.push_back(number(next));
        }
    }
}

}  // namespace synth
