#include "search/explicit_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "program/id_layout.hpp"
#include "program/program.hpp"
#include "search/closures.hpp"
#include "work/faults.hpp"

namespace synth {

namespace {

constexpr int undecided = -2;  // of a field; no_exchange is one of the ways to decide an exchange
using ValueSet = std::uint32_t;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// What is decided of an instruction.
struct Decided {
    bool store = false;
    int exch = undecided;
    int check = undecided;  // of a branch; `not_check` says more while it is undecided
    int target = undecided;
    ValueSet not_check = 0;
    ValueSet open;  // the values read whose edges are undecided
};

// A way to decide an edge that is read with a certain value.
struct Option {
    bool store;
    int exch;
    int target;  // undecided: the branch is not taken
};

// What a shape fixes: the place of each instruction, and the layout of states. A state is the mixed-radix number of
// (memory, pcs), location 0 the lowest digit, then thread 0.
struct Layout {
    struct Place {
        int thread, pc, loc;
        int end;         // the thread's number of instructions
        int loc_stride;  // of the location's value in a state's number
        int pc_stride;   // of the thread's pc
    };

    Layout(const Shape& shape, int value_count) : values(value_count) {
        for (const auto& thread : shape) {
            for (const int loc : thread) locations = std::max(locations, loc + 1);
        }
        for (int loc = 0; loc < locations; ++loc) states *= values;
        int thread = 0;
        for (const auto& locs : shape) {
            const int size = static_cast<int>(locs.size());
            for (int pc = 0; pc < size; ++pc) {
                int loc_stride = 1;
                for (int k = 0; k < locs[at(pc)]; ++k) loc_stride *= values;
                places.push_back({thread, pc, locs[at(pc)], size, loc_stride, states});
            }
            states *= size + 1;
            ++thread;
        }
    }

    int size() const { return static_cast<int>(places.size()); }
    ValueSet all_values() const { return (ValueSet{1} << values) - 1; }

    int values;
    int locations = 0;
    int states = 1;
    std::vector<Place> places;
};

// Writes out tests: the normal form of a program in each of the orders of its threads.
class Writer {
public:
    Writer(const Layout& layout, std::vector<std::vector<int>> orders) : layout_(layout), orders_(std::move(orders)) {
        for (const Layout::Place& place : layout.places) {
            if (place.pc == 0) first_.push_back(static_cast<int>(&place - layout.places.data()));
        }
        first_.push_back(layout.size());
    }

    std::size_t orders() const { return orders_.size(); }

    void write(const std::vector<Instruction>& code, std::string& ids) {
        for (const auto& order : orders_) {
            locations_.assign(at(layout_.locations), undecided);
            values_.assign(at(layout_.values), undecided);
            values_[0] = 0;
            int locations = 0, values = 1;
            const auto named = [](std::vector<int>& names, int& next, int original) {
                int& name = names[at(original)];
                if (name == undecided) name = next++;
                return name;
            };
            bool first = true;
            for (const int thread : order) {
                if (!first) ids += id_layout::between_threads;
                first = false;
                for (int i = first_[at(thread)]; i < first_[at(thread) + 1]; ++i) {
                    const Instruction& instruction = code[at(i)];
                    const int loc = named(locations_, locations, instruction.loc);
                    const int check = named(values_, values, instruction.check);  // before exch: the order of first use
                    const int exch = instruction.writes() ? named(values_, values, instruction.exch) : no_exchange;
                    id_layout::append_instruction(ids, loc, check, exch != no_exchange, exch, instruction.target);
                }
            }
            ids += '\n';
        }
    }

private:
    const Layout& layout_;
    std::vector<std::vector<int>> orders_;
    std::vector<int> first_;
    std::vector<int> locations_, values_;
};

template <int Words>
class Search final : public ExplicitSearch {
    using Set = StateSet<Words>;

public:
    Search(const Shape& shape, int values, RulesInForce rules, std::vector<std::vector<int>> orders,
           const std::vector<Cut>& cuts)
        : layout_(shape, values),
          rules_(rules),
          writer_(layout_, std::move(orders)) {
        for (const Cut& cut : cuts) cuts_.push_back({cut, 0});
        decided_.assign(at(layout_.size()), Decided{.open = layout_.all_values()});
        sources_.resize(at(layout_.size() * values));
        for (int state = 0; state < layout_.states; ++state) {
            bool ended = true;
            for (int i = 0; i < layout_.size(); ++i) {
                const Layout::Place& place = layout_.places[at(i)];
                const int pc = state / place.pc_stride % (place.end + 1);
                ended = ended && pc == place.end;
                if (pc == place.pc) source(i, state / place.loc_stride % values).add(static_cast<unsigned>(state));
            }
            if (ended) ends_.add(static_cast<unsigned>(state));
        }
        levels_.resize(at(layout_.size() * values) + 1);
        Set start;
        start.add(0);
        enter(start, 1);
    }

    bool advance(std::uint64_t steps, std::string* ids) override {
        ids_ = ids;
        for (; depth_ > 0 && steps > 0; --steps) {
            Level& level = levels_[at(depth_ - 1)];
            if (level.next > 0) undo(level);
            if (level.next == level.options.size()) {
                --depth_;
                continue;
            }
            decide(level, level.options[level.next++]);
            const Set reached = all_reached(level.reached, edges_, level.edges_before);
            const Set open = level.open_elsewhere | open_sources(level.instruction);
            // Without a jump back there is no cycle, and whoever can always take a step gets to the end.
            if (jumps_back_) {
                const Set goes_on = level.goes_on | (reached & (ends_ | open));
                if (!(all_leading_to(goes_on, reached, edges_) == reached)) continue;
            }
            if (reached.meets(open)) {
                if (is_ours([this](int cut) { return cut == depth_; })) enter(reached, used_);
            } else if (jumps_back_ && keeps_rules(reached) && has_cycle(reached, edges_)) {
                if (is_ours([this](int cut) { return cut >= depth_; })) complete(0);
            }
        }
        return depth_ > 0;
    }

    std::uint64_t numbered() const override { return cuts_.empty() ? 0 : cuts_.back().numbered; }

private:
    // A reached state stands at an undecided edge, which is decided in one way after the other.
    struct Level {
        Set reached;
        Set open_elsewhere;  // the sources of the undecided edges of other instructions
        Set goes_on;         // the reached states that lead to one of these, or to an end
        int instruction, value;
        int used;  // values named so far
        bool jumps_back;
        Decided before;
        std::size_t edges_before;
        std::size_t next;
        std::vector<Option> options;
    };

    struct NumberingCut {
        Cut cut;
        std::uint64_t numbered;
    };

    // Whether what was come upon after `depth_` decisions is in the part; numbers it at the cuts that it `meets`.
    template <typename Meets>
    bool is_ours(Meets meets) {
        for (auto& [cut, numbered] : cuts_) {
            if (meets(cut.depth) && numbered++ % cut.of != cut.index) return false;
        }
        return true;
    }

    Set& source(int instruction, int value) { return sources_[at(instruction * layout_.values + value)]; }
    const Set& source(int instruction, int value) const { return sources_[at(instruction * layout_.values + value)]; }

    void enter(const Set& reached, int used) {
        Level& level = levels_[at(depth_++)];
        level.reached = reached;
        level.used = used;
        level.jumps_back = jumps_back_;
        level.edges_before = edges_.size();
        level.next = 0;
        for (int i = 0; i < layout_.size(); ++i) {
            for (ValueSet left = decided_[at(i)].open; left != 0; left &= left - 1) {
                const int value = std::countr_zero(left);
                if (!reached.meets(source(i, value))) continue;
                level.instruction = i;
                level.value = value;
                level.before = decided_[at(i)];
                level.open_elsewhere = Set{};
                for (int j = 0; j < layout_.size(); ++j) {
                    if (j != i) level.open_elsewhere |= open_sources(j);
                }
                level.goes_on = all_leading_to(reached & (ends_ | level.open_elsewhere), reached, edges_);
                list_options(level);
                return;
            }
        }
    }

    // The named values and the least one that is not, if there is one.
    int choices(int used) const { return std::min(used + 1, layout_.values); }

    void list_options(Level& level) const {
        const Decided& known = level.before;
        const Layout::Place& place = layout_.places[at(level.instruction)];
        level.options.clear();
        const auto branches = [&](int exch) {
            for (int target = 0; target <= place.end; ++target) {
                if (target != place.pc + 1) level.options.push_back({false, exch, target});
            }
            const ValueSet others = layout_.all_values() & ~(known.not_check | ValueSet{1} << level.value);
            if (others != 0) level.options.push_back({false, exch, undecided});
        };
        if (known.exch != undecided) {
            branches(known.exch);
            return;
        }
        const bool may_write = !rules_.inter_thread_influence || may_branch_elsewhere(level.instruction, level.instruction);
        const bool may_leave = !rules_.all_branches || may_change_elsewhere(level.instruction);
        if (may_write && (!rules_.inter_thread_influence || may_be_store(level.instruction))) {
            for (int exch = may_leave || !rules_.effective_stores ? 0 : 1; exch < choices(level.used); ++exch) {
                level.options.push_back({true, exch, place.pc + 1});
            }
        }
        if (may_leave) branches(no_exchange);
        if (may_write) {
            for (int exch = may_leave ? 0 : 1; exch < choices(level.used); ++exch) branches(exch);
        }
    }

    // Whether in another thread some instruction on the same location is a branch or can become one; `but` counts as a
    // store.
    bool may_branch_elsewhere(int instruction, int but) const {
        const Layout::Place& here = layout_.places[at(instruction)];
        for (int j = 0; j < layout_.size(); ++j) {
            const Layout::Place& there = layout_.places[at(j)];
            if (there.thread != here.thread && there.loc == here.loc && j != but && !decided_[at(j)].store) return true;
        }
        return false;
    }

    // Whether some other instruction writes another value than 0 to its location, or can come to do so.
    bool may_change_elsewhere(int instruction) const {
        for (int j = 0; j < layout_.size(); ++j) {
            if (j == instruction || layout_.places[at(j)].loc != layout_.places[at(instruction)].loc) continue;
            if (decided_[at(j)].exch == undecided || decided_[at(j)].exch > 0) return true;
        }
        return false;
    }

    // Whether every exchange on its location still has its branch elsewhere when an instruction becomes a store.
    bool may_be_store(int instruction) const {
        for (int j = 0; j < layout_.size(); ++j) {
            const bool writes = decided_[at(j)].exch != undecided && decided_[at(j)].exch != no_exchange;
            if (writes && layout_.places[at(j)].loc == layout_.places[at(instruction)].loc &&
                !may_branch_elsewhere(j, instruction)) {
                return false;
            }
        }
        return true;
    }

    unsigned shift(const Layout::Place& place, int read, int exch, int to) const {
        const int written = exch == no_exchange ? 0 : (exch - read) * place.loc_stride;
        const int moved = (to - place.pc) * place.pc_stride;
        const int room = static_cast<int>(Set::room);
        return static_cast<unsigned>((written + moved + room) % room);
    }

    // Where the edge of a value leads under an option; undecided: it stays open.
    int destination(const Level& level, const Option& option, int value) const {
        const int next = layout_.places[at(level.instruction)].pc + 1;
        if (option.store || (value == level.value && option.target == undecided)) return next;
        if (option.target == undecided) return undecided;
        return value == level.value ? option.target : next;
    }

    // The sources of an instruction's undecided edges.
    Set open_sources(int instruction) const {
        Set open;
        for (ValueSet left = decided_[at(instruction)].open; left != 0; left &= left - 1) {
            open |= source(instruction, std::countr_zero(left));
        }
        return open;
    }

    void decide(const Level& level, const Option& option) {
        Decided& decided = decided_[at(level.instruction)];
        const Layout::Place& place = layout_.places[at(level.instruction)];
        used_ = std::max(level.used, option.exch + 1);
        for (ValueSet left = level.before.open; left != 0; left &= left - 1) {
            const int value = std::countr_zero(left);
            const int to = destination(level, option, value);
            if (to == undecided) continue;
            const unsigned by = shift(place, value, option.exch, to);
            edges_.push_back({source(level.instruction, value), by, (Set::room - by) % Set::room});
            jumps_back_ = jumps_back_ || to <= place.pc;
            decided.open &= ~(ValueSet{1} << value);
        }
        decided.store = option.store;
        decided.exch = option.exch;
        decided.target = option.target;
        if (option.target == undecided) {
            decided.not_check |= ValueSet{1} << level.value;
        } else if (!option.store) {
            decided.check = level.value;
        }
    }

    void undo(const Level& level) {
        decided_[at(level.instruction)] = level.before;
        edges_.resize(level.edges_before);
        jumps_back_ = level.jumps_back;
    }

    // The rules that are not kept by construction, of a program all of whose edges from reached states are decided.
    bool keeps_rules(const Set& reached) const {
        for (int i = 0; i < layout_.size(); ++i) {
            const Decided& known = decided_[at(i)];
            ValueSet read = 0;
            for (int value = 0; value < layout_.values; ++value) {
                if (reached.meets(source(i, value))) read |= ValueSet{1} << value;
            }
            if (read == 0) return false;
            if (rules_.all_branches && !known.store) {
                if (known.check == undecided || (read & ~(ValueSet{1} << known.check)) == 0) return false;
            }
            if (rules_.effective_stores && known.exch != no_exchange && (read & ~(ValueSet{1} << known.exch)) == 0) {
                return false;
            }
        }
        return true;
    }

    // Decide what no execution sees, from an instruction on, in every way: the target and check of a branch that is
    // never taken, and what a store compares with where that may be anything.
    void complete(int instruction) {
        for (; instruction < layout_.size(); ++instruction) {
            const Decided& known = decided_[at(instruction)];
            if (known.store ? !rules_.meaningful_comparisons : known.check == undecided) break;
        }
        if (instruction == layout_.size()) {
            found_ += writer_.orders();
            if (ids_ != nullptr) write();
            return;
        }
        Decided& decided = decided_[at(instruction)];
        const Decided before = decided;
        const int used = used_;
        const Layout::Place& place = layout_.places[at(instruction)];
        for (int check = 0; check < choices(used); ++check) {
            if (!before.store && (before.not_check >> check & 1) != 0) continue;
            decided.check = check;
            used_ = std::max(used, check + 1);
            if (before.store) {
                complete(instruction + 1);
                continue;
            }
            for (decided.target = 0; decided.target <= place.end; ++decided.target) {
                if (decided.target != place.pc + 1) complete(instruction + 1);
            }
        }
        decided = before;
        used_ = used;
    }

    void write() {
        code_.clear();
        for (int i = 0; i < layout_.size(); ++i) {
            const Decided& known = decided_[at(i)];
            const int check = known.check == undecided ? 0 : known.check;
            code_.push_back({static_cast<std::int8_t>(layout_.places[at(i)].loc), static_cast<std::int8_t>(check),
                             static_cast<std::int8_t>(known.exch), static_cast<std::int8_t>(known.target)});
        }
        writer_.write(code_, *ids_);
    }

    Layout layout_;
    RulesInForce rules_;
    Writer writer_;
    std::vector<NumberingCut> cuts_;
    std::vector<Set> sources_;  // [instruction][value]
    Set ends_;
    std::vector<Decided> decided_;
    std::vector<Edge<Words>> edges_;  // all that are decided
    std::vector<Level> levels_;
    int depth_ = 0;
    bool jumps_back_ = false;  // some decided edge leads to the instruction itself or back
    int used_ = 1;  // values named after the last decision
    std::string* ids_ = nullptr;
    std::vector<Instruction> code_;
};

// As a double, which no shape overflows.
double count_states(const Shape& shape, int values) {
    int locations = 0;
    double states = 1;
    for (const auto& thread : shape) {
        for (const int loc : thread) locations = std::max(locations, loc + 1);
        states *= static_cast<double>(thread.size()) + 1;
    }
    return states * std::pow(values, locations);
}

}  // namespace

std::unique_ptr<ExplicitSearch> ExplicitSearch::make(const Shape& shape, int values, RulesInForce rules,
                                                     std::vector<std::vector<int>> orders,
                                                     const std::vector<Cut>& cuts) {
    for (const auto& order : orders) {
        std::vector<int> expected(shape.size());
        std::iota(expected.begin(), expected.end(), 0);
        if (!std::ranges::is_permutation(order, expected)) throw InputFault("found an order of threads that is not a permutation");
    }
    if (shape.empty() || std::ranges::any_of(shape, [](const auto& thread) { return thread.empty(); })) {
        throw InputFault("found a thread without instructions, expected at least one instruction in each");
    }
    int above = 0;
    for (const Cut& cut : cuts) {
        if (cut.depth <= above || cut.index >= cut.of) throw InputFault("found a wrong cut, expected rising depths, and an index below the modulus");
        above = cut.depth;
    }
    const double states = count_states(shape, values);
    if (values < 1 || values > max_values || states > max_states) {
        throw LimitFault("explicit search: found " + std::to_string(values) + " values and " +
                         std::to_string(static_cast<std::int64_t>(std::min(states, 1e18))) + " states, expected at most " +
                         std::to_string(max_values) + " and " + std::to_string(max_states));
    }
    if (states <= 64) return std::make_unique<Search<1>>(shape, values, rules, std::move(orders), cuts);
    if (states <= 128) return std::make_unique<Search<2>>(shape, values, rules, std::move(orders), cuts);
    if (states <= 256) return std::make_unique<Search<4>>(shape, values, rules, std::move(orders), cuts);
    if (states <= 512) return std::make_unique<Search<8>>(shape, values, rules, std::move(orders), cuts);
    return std::make_unique<Search<16>>(shape, values, rules, std::move(orders), cuts);
}

}  // namespace synth
