#include "search/lane_tables.hpp"

#include <algorithm>
#include <bit>

namespace synth::lanes {

namespace {

constexpr int values = 2;
constexpr int word_bits = 64;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Word bit(int i) { return Word{1} << i; }

// How many locations are split: as few as leave states that a word has room for; -1 if even four words have none.
int split_locations(const Shape& shape) {
    int locations = 0, instructions = 0;
    double states = 1;
    for (const auto& thread : shape) {
        for (const int loc : thread) locations = std::max(locations, loc + 1);
        instructions += static_cast<int>(thread.size());
        states *= static_cast<double>(thread.size()) + 1;
    }
    for (int loc = 0; loc < locations; ++loc) states *= values;
    if (instructions > max_instructions) return -1;
    for (int split = 0; split <= std::min(locations, std::countr_zero(unsigned{max_words})); ++split, states /= values) {
        if (states <= word_bits) return split;
    }
    return -1;
}

// The byte of a program's code for what is decided of an instruction: after 0 to 3, which lanes.hpp defines, first the two
// stores, then the branches by exchange, check and target.
constexpr Word stores_from = seen_falling_through + 1, branches_from = stores_from + values;
constexpr int targets = max_instructions + 1;

Word code_of(int exch, int check, int target) {
    return branches_from + static_cast<Word>(((exch - no_exchange) * values + check) * targets + target);
}

static_assert(ShapeTables::codes == branches_from + 3 * values * targets && ShapeTables::codes <= code_mask + 1);

}  // namespace

bool ShapeTables::has_room_for(const Shape& shape) { return split_locations(shape) >= 0; }

ShapeTables::ShapeTables(const Shape& shape) {
    tables_.words = 1 << split_locations(shape);
    place_instructions(shape);
    find_sources();
    for (int edge = 0; edge < tables_.edges; ++edge) list_ways(edge);
}

void ShapeTables::place_instructions(const Shape& shape) {
    int locations = 0;
    for (const auto& thread : shape) {
        for (const int loc : thread) locations = std::max(locations, loc + 1);
    }
    const int whole = locations - std::countr_zero(static_cast<unsigned>(tables_.words));  // the last ones are split
    states_ = 1 << whole;
    int thread = 0;
    for (const auto& locs : shape) {
        const int end = static_cast<int>(locs.size());
        int pc = 0;
        for (const int loc : locs) {
            for (int read = 0; read < values; ++read) {
                const int edge = values * static_cast<int>(places_.size()) + read;
                tables_.of_thread[thread][edge / edges_per_word] |= Word{0xff} << (8 * (edge % edges_per_word));
            }
            places_.push_back({thread, pc++, loc, end, states_, loc < whole ? 0 : 1 << (loc - whole), 1 << loc});
        }
        states_ *= end + 1;
        ++thread;
    }
    tables_.threads = thread;
    const int size = static_cast<int>(places_.size());
    tables_.edges = size * values;
    for (int i = 0; i < size; ++i) {
        for (int j = 0; j < size; ++j) {
            if (i == j || places_[at(i)].loc != places_[at(j)].loc) continue;
            tables_.same_loc[i] |= bit(j);
            if (places_[at(i)].thread != places_[at(j)].thread) tables_.elsewhere[i] |= bit(j);
        }
    }
}

void ShapeTables::find_sources() {
    for (int state = 0; state < states_; ++state) {
        bool ended = true;
        for (int edge = 0; edge < tables_.edges; ++edge) {
            const Place& place = places_[at(edge / values)];
            const int pc = state / place.pc_stride % (place.end + 1);
            ended = ended && pc == place.end;
            const bool reads = place.split != 0 || state / place.loc_stride % values == edge % values;
            tables_.split[edge] = place.split;
            if (pc != place.pc || !reads) continue;
            tables_.from[edge] |= bit(state);
            const bool alone = std::ranges::all_of(places_, [&](const Place& other) {
                return other.thread == place.thread || state / other.pc_stride % (other.end + 1) == other.end;
            });
            if (alone) tables_.alone[edge] |= bit(state);
        }
        if (ended) tables_.ends |= bit(state);
    }
}

// The same ways as Search::list_options, each under the same conditions.
void ShapeTables::list_ways(int edge) {
    const Place& place = places_[at(edge / values)];
    for (int choice = 0; choice < choices; ++choice) {
        std::vector<Option> options;
        const auto branches = [&](int exch, bool may_fall_through) {
            for (int target = 0; target <= place.end; ++target) {
                if (target != place.pc + 1) options.push_back({false, exch, target});
            }
            if (may_fall_through) options.push_back({false, exch, undecided});
        };
        const Word known = choice < 8 ? 0 : static_cast<Word>(choice - 7);
        if (known != 0) {
            branches(static_cast<int>(known) - 1 + no_exchange, false);
        } else {
            const bool leaves = (choice & may_leave) != 0;
            if ((choice & may_store) != 0) {
                for (int exch = leaves ? 0 : 1; exch < values; ++exch) options.push_back({true, exch, place.pc + 1});
            }
            if (leaves) branches(no_exchange, true);
            if ((choice & may_write) != 0) {
                for (int exch = leaves ? 0 : 1; exch < values; ++exch) branches(exch, true);
            }
        }
        const auto after = std::ranges::stable_partition(options, [&](const Option& option) { return spins(edge, option); });
        const std::size_t spinning = options.size() - after.size();
        Columns& columns = columns_[at(edge)][at(choice)];
        for (const Option& option : options) {
            const Way found = way(edge, known, option);
            columns.shifts.push_back(found.shifts);
            columns.code.push_back(found.code);
            columns.masks.push_back(found.masks);
        }
        for (auto* column : {&columns.shifts, &columns.code, &columns.masks}) column->resize(options.size() + max_lanes);
        tables_.ways[edge][choice] = {columns.shifts.data(), columns.code.data(), columns.masks.data(), spinning, options.size()};
        most_ways_ = std::max(most_ways_, options.size());
    }
}

bool ShapeTables::spins(int edge, const Option& option) const {
    return option.target == places_[at(edge / values)].pc && (option.exch == no_exchange || option.exch == edge % values);
}

// What an option changes when the instruction's code is `known`: 0, or seen falling through.
ShapeTables::Way ShapeTables::way(int edge, Word known, const Option& option) const {
    const int i = edge / values, value = edge % values;
    const Place& place = places_[at(i)];
    Way made{};
    for (int read = 0; read < values; ++read) {
        const int decides = values * i + read;
        if (read != value && (known != 0 || option.target == undecided)) continue;  // decided before, or not now
        const int to = read == value && option.target != undecided ? option.target : place.pc + 1;
        const bool changes = option.exch != no_exchange && option.exch != read;
        int shift = (to - place.pc) * place.pc_stride;
        if (changes && place.split == 0) shift += (option.exch - read) * place.loc_stride;
        const Word does = static_cast<Word>((shift + word_bits * states_) % word_bits) |
                          (changes && place.split != 0 ? other_word : 0) | (to <= place.pc ? jumps_back : 0);
        made.shifts |= does << (8 * (decides % edges_per_word));
        made.masks |= bit(open_at + decides);
    }
    if (option.store) {
        made.code = stores_from + static_cast<Word>(option.exch);
    } else if (option.target == undecided) {
        made.code = static_cast<Word>(option.exch - no_exchange + 1);
    } else {
        made.code = code_of(option.exch, value, option.target);
    }
    if (spins(edge, option)) made.masks |= bit(spins_at + i);
    made.code = (made.code ^ known) << (code_bits * i);
    if (known != 0) return made;
    // All edges are required of a branch, and of a store those that read another value than it writes.
    if (option.store) made.masks |= bit(may_branch_at + i) | bit(required_at + values * i + option.exch);
    if (option.exch != no_exchange) made.masks |= bit(writes_at + i);
    if (option.exch <= 0) made.masks |= bit(may_change_at + i);
    return made;
}

Partial ShapeTables::after(const std::vector<Decision>& decisions) const {
    Partial partial;
    const int size = tables_.edges / values;
    const Word edges = bit(tables_.edges) - 1, instructions = bit(size) - 1;
    partial.masks = edges << open_at | edges << required_at | instructions << may_branch_at | instructions << may_change_at;
    for (const auto& [instruction, value, option] : decisions) {
        const Word known = partial.code >> (code_bits * instruction) & code_mask;
        const int edge = values * instruction + value;
        const Way decided = way(edge, known, option);
        partial.shifts[edge / edges_per_word] ^= decided.shifts;
        partial.code ^= decided.code;
        partial.masks ^= decided.masks;
    }
    return partial;
}

Instruction ShapeTables::instruction(int place, Word code) const {
    const Place& here = places_[at(place)];
    const auto made = [&](int check, int exch, int target) {
        return Instruction{static_cast<std::int8_t>(here.loc), static_cast<std::int8_t>(check), static_cast<std::int8_t>(exch),
                           static_cast<std::int8_t>(target)};
    };
    if (code < branches_from) return made(0, static_cast<int>(code - stores_from), here.pc + 1);
    const int number = static_cast<int>(code - branches_from);
    return made(number / targets % values, number / targets / values + no_exchange, number % targets);
}

}  // namespace synth::lanes
