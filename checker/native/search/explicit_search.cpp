#include "search/explicit_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "program/program.hpp"
#include "search/closures.hpp"
#include "search/lane_paths.hpp"
#include "search/lane_search.hpp"
#include "search/layout.hpp"
#include "search/writer.hpp"
#include "work/faults.hpp"

namespace synth {

namespace {

// What is decided of an instruction.
struct Decided {
    bool store = false;
    int exch = undecided;
    int check = undecided;  // of a branch; `not_check` says more while it is undecided
    int target = undecided;
    ValueSet not_check = 0;
    ValueSet open;  // the values read whose edges are undecided
};

template <int Words>
class Search final : public ExplicitSearch {
    using Set = StateSet<Words>;

public:
    Search(const Shape& shape, int values, RulesInForce rules, std::vector<std::vector<int>> orders,
           const std::vector<Cut>& cuts, std::unique_ptr<LaneSearch> lanes)
        : layout_(shape, values),
          rules_(rules),
          writer_(layout_, std::move(orders)),
          lanes_(std::move(lanes)) {
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
        if (lanes_ && cuts_.empty()) {
            lanes_->take({});
        } else {
            Set start;
            start.add(0);
            enter(start, 1);
        }
    }

    bool advance(std::uint64_t steps, std::string* ids) override {
        ids_ = ids;
        while (steps > 0 && goes_on()) {
            if (in_lanes_ || depth_ == 0 || (lanes_ && lanes_->is_full())) {
                steps -= std::min(steps, lanes_->advance(steps, ids, found_));
                in_lanes_ = !lanes_->is_empty();
            } else {
                --steps;
                advance_once();
            }
        }
        return goes_on();
    }

    std::uint64_t numbered() const override { return cuts_.empty() ? 0 : cuts_.back().numbered; }

private:
    bool goes_on() const { return depth_ > 0 || (lanes_ && !lanes_->is_empty()); }

    void advance_once() {
        Level& level = levels_[at(depth_ - 1)];
        if (level.next > 0) undo(level);
        if (level.next == level.options.size()) {
            --depth_;
            return;
        }
        decide(level, level.options[level.next++]);
        const Set reached = all_reached(level.reached, edges_, level.edges_before);
        const Set open = level.open_elsewhere | open_sources(level.instruction);
        // Without a jump back there is no cycle, and whoever can always take a step gets to the end.
        if (jumps_back_) {
            const Set goes_on = level.goes_on | (reached & (ends_ | open));
            if (!(all_leading_to(goes_on, reached, edges_) == reached)) return;
        }
        if (reached.meets(open)) {
            if (!is_ours([this](int cut) { return cut == depth_; })) return;
            if (lanes_ && depth_ == cuts_.back().cut.depth) {
                lanes_->take(decisions());
            } else {
                enter(reached, used_);
            }
        } else if (jumps_back_ && keeps_rules(reached) && has_cycle(reached, edges_)) {
            if (is_ours([this](int cut) { return cut >= depth_; })) complete(0);
        }
    }

    // Those that lead from the start to where the search is.
    std::vector<Decision> decisions() const {
        std::vector<Decision> made;
        for (int d = 0; d < depth_; ++d) {
            const Level& level = levels_[at(d)];
            made.push_back({level.instruction, level.value, level.options[level.next - 1]});
        }
        return made;
    }

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
    std::unique_ptr<LaneSearch> lanes_;  // for what is below the last cut, if it applies
    bool in_lanes_ = false;              // they work on what they have taken
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

// The search in lanes by a path, or null where that does not apply or is not wanted.
std::unique_ptr<LaneSearch> lanes_for(const Shape& shape, int values, RulesInForce rules,
                                      const std::vector<std::vector<int>>& orders, std::string_view path) {
    const auto wanted = std::ranges::find_if(lanes::paths(), [&](const auto& each) {
        return each.supported && (path.empty() || path == each.name);
    });
    if (wanted == lanes::paths().end()) {
        if (path == ExplicitSearch::one_by_one) return nullptr;
        throw InputFault("explicit search: found the path " + std::string(path) + ", which this processor does not have");
    }
    const bool applies = values == 2 && rules.inter_thread_influence && rules.all_branches && rules.effective_stores &&
                         rules.meaningful_comparisons && lanes::ShapeTables::has_room_for(shape);
    return applies ? std::make_unique<LaneSearch>(shape, orders, wanted->function) : nullptr;
}

}  // namespace

std::vector<std::pair<std::string_view, bool>> ExplicitSearch::paths() {
    std::vector<std::pair<std::string_view, bool>> all;
    for (const auto& path : lanes::paths()) all.emplace_back(path.name, path.supported);
    all.emplace_back(one_by_one, true);
    return all;
}

std::unique_ptr<ExplicitSearch> ExplicitSearch::make(const Shape& shape, int values, RulesInForce rules,
                                                     std::vector<std::vector<int>> orders,
                                                     const std::vector<Cut>& cuts, std::string_view path) {
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
    auto lanes = lanes_for(shape, values, rules, orders, path);
    const auto made = [&]<int Words>() -> std::unique_ptr<ExplicitSearch> {
        return std::make_unique<Search<Words>>(shape, values, rules, std::move(orders), cuts, std::move(lanes));
    };
    if (states <= 64) return made.template operator()<1>();
    if (states <= 128) return made.template operator()<2>();
    if (states <= 256) return made.template operator()<4>();
    if (states <= 512) return made.template operator()<8>();
    return made.template operator()<16>();
}

}  // namespace synth
