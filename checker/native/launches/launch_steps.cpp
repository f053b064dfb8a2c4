#include "launches/launch_steps.hpp"

#include <algorithm>
#include <string>

#include "work/faults.hpp"

namespace synth {

namespace {

constexpr std::size_t kept_writes = std::size_t{1} << 12;  // they fit into a cache of the processor

// End a row before its last numbers that are as they were at the start.
void trim(std::vector<Number>& row, std::size_t from, const std::vector<Number>& at_start) {
    while (row.size() > from && row.back() == at_start[row.size() - from - 1]) row.pop_back();
}

void set(std::vector<Number>& row, std::size_t from, const std::vector<Number>& at_start, std::size_t column, Number value) {
    while (row.size() <= from + column) row.push_back(at_start[row.size() - from]);
    row[from + column] = value;
}

bool has(const std::vector<Number>& columns, Number column) { return std::ranges::find(columns, column) != columns.end(); }

}  // namespace

LaunchSteps::LaunchSteps(Interpreter& interpreter, LaunchRules rules, std::size_t groups, std::size_t threads_of_group,
                         std::vector<Element> elements)
    : interpreter_(interpreter),
      rules_(rules),
      groups_(groups),
      size_(threads_of_group),
      steps_(interpreter, std::move(elements), groups),
      written_(kept_writes),
      at_(groups),
      changed_(groups),
      is_changed_(groups) {
    if (threads_of_group > UINT16_MAX) throw LimitFault("found a local size above 65,535");
}

std::vector<Number> LaunchSteps::start(const std::vector<Number>& threads) {
    std::vector<Number> state{memories_.number({})};
    for (std::size_t group = 0; group < groups_; ++group) {
        state.push_back(group_number(Row(threads).subspan(group * size_, size_)));
    }
    return state;
}

void LaunchSteps::look_at(Row state) {
    state_ = state;
    memory_ = memories_[state[0]];
}

void LaunchSteps::take(std::size_t group, std::uint32_t mover, std::span<Number> next) {
    const Mover found = movers_.at(info_[state_[1 + group]].first_mover)[mover];
    const Number leaf = trees_.find(found.root, [this](Number column) {
        return column < memory_.size() ? memory_[column] : steps_.at_start(-1)[column];
    });
    if (leaf != no_number) {
        const Known& known = known_[leaf];
        const bool may_release_grid = steps_.meets_in_grid() && info_[known.after].movers == 0;
        if (!may_release_grid && !races(group, known.touched)) {
            std::ranges::copy(state_, next.begin());
            next[1 + group] = known.after;
            if (known.writes != 0) next[0] = written(state_[0], known.writes);
            return;
        }
    }
    const std::size_t columns = steps_.at_start(-1).size();
    put_together(group, found.thread, next);
    if (forgotten_ != steps_.forgotten()) {  // some trees lack elements that were taken to be constant
        forgotten_ = steps_.forgotten();
        trees_.clear();
        known_.clear();
        for (Number state = 0; state < info_.size(); ++state) {
            for (std::uint32_t i = 0; i < info_[state].movers; ++i) movers_.at(info_[state].first_mover)[i].root = no_number;
        }
    } else if (leaf == no_number && !releases_grid_ && columns == steps_.at_start(-1).size()) {
        keep(group, mover, next[1 + group]);
    }
    look_at(state_);
}

// Keep the step that was just put together.
void LaunchSteps::keep(std::size_t group, std::uint32_t mover, Number after) {
    std::vector<Number> writes;
    for (const Number column : written_columns_) {
        writes.push_back(column);
        writes.push_back(column < changed_memory_.size() ? changed_memory_[column] : steps_.at_start(-1)[column]);
    }
    if (writes_.size() == 0) writes_.number({});
    trees_.insert(movers_.at(info_[state_[1 + group]].first_mover)[mover].root, reads_, static_cast<Number>(known_.size()));
    known_.push_back({after, all_touched_, writes_.number(writes)});
}

// Return the memory after some writes.
Number LaunchSteps::written(Number memory, Number writes) {
    Written& known = written_[(memory * std::size_t{0x9E3779B1U} + writes) % kept_writes];
    if (known.memory != memory || known.writes != writes) {
        const Row before = memories_[memory], row = writes_[writes];
        changed_memory_.assign(before.begin(), before.end());
        for (std::size_t i = 0; i < row.size(); i += 2) set(changed_memory_, 0, steps_.at_start(-1), row[i], row[i + 1]);
        trim(changed_memory_, 0, steps_.at_start(-1));
        known = {memory, writes, memories_.number(changed_memory_)};
    }
    return known.after;
}

void LaunchSteps::close() {
    memories_.close();
    group_states_.close();
}

Number LaunchSteps::held(Number number) {
    const Element& element = steps_.element(number);
    const bool is_global = element.group < 0;
    if (element.column == no_number) return element.initial;
    const Row row = is_global ? memory_ : at_[static_cast<std::size_t>(element.group)];
    const std::size_t place = element.column + (is_global ? 0 : size_);
    const Number value = place < row.size() ? row[place] : element.initial;
    if (is_global && !has(written_columns_, element.column) &&
        std::ranges::find(reads_, element.column, &std::pair<Number, Number>::first) == reads_.end()) {
        reads_.emplace_back(element.column, value);
    }
    return value;
}

// Take a step and all that follows from it.
void LaunchSteps::put_together(std::size_t group, Number thread, std::span<Number> next) {
    for (std::size_t one = 0; one < groups_; ++one) {
        at_[one] = group_states_[state_[1 + one]];
        is_changed_[one] = false;
    }
    reads_.clear();
    written_columns_.clear();
    releases_grid_ = false;
    own_touched_ = info_[state_[1 + group]].touched;
    new_touched_ = all_touched_ = 0;
    const LocalState first = local(here(group, thread));
    if (first.status == Status::access) {
        const Number held = advance(group, thread);
        if (rules_.lockstep) hold(group, thread, first.place, held);
    } else {
        const std::size_t end = rules_.lockstep ? std::min((thread / rules_.subgroup + 1) * rules_.subgroup, size_) : thread + 1;
        for (std::size_t lane = thread; lane < end; ++lane) {
            const LocalState found = local(here(group, lane));
            if (found.place == first.place && found.status == first.status) own(group)[lane] = found.other;
        }
    }
    while (release_if_complete(group)) {
    }
    std::ranges::copy(state_, next.begin());
    for (std::size_t one = 0; one < groups_; ++one) {
        if (!is_changed_[one]) continue;
        if (rules_.merges) arrive(one);
        trim(changed_[one], size_, steps_.at_start(static_cast<int>(one)));
        next[1 + one] = group_number(changed_[one]);
    }
    if (!written_columns_.empty()) {
        trim(changed_memory_, 0, steps_.at_start(-1));
        next[0] = memories_.number(changed_memory_);
    }
}

// Take the access of a thread, or let it go on behind a barrier. Return its state after that, if it is held.
Number LaunchSteps::advance(std::size_t group, std::size_t thread) {
    const Leaf& step = steps_[steps_.leaf(here(group, thread), [this](Number element) { return held(element); })];
    own(group)[thread] = step.after;
    for (const auto& [number, value] : step.writes) {
        const Element& element = steps_.element(number);
        if (element.group < 0) {
            if (written_columns_.empty()) changed_memory_.assign(memory_.begin(), memory_.end());
            if (!has(written_columns_, element.column)) written_columns_.push_back(element.column);
            set(changed_memory_, 0, steps_.at_start(-1), element.column, value);
            memory_ = changed_memory_;
        } else {
            const auto owner = static_cast<std::size_t>(element.group);
            set(own(owner), size_, steps_.at_start(element.group), element.column, value);
            at_[owner] = changed_[owner];
        }
    }
    const Number held = step.held;
    check(step.touched, group, thread);
    return held;
}

// Hold a lane that has made its access until the other lanes of its subgroup at this place have done so, too. Behind the
// last one, all of them go on.
void LaunchSteps::hold(std::size_t group, std::size_t thread, Number place, Number held) {
    const std::size_t begin = thread / rules_.subgroup * rules_.subgroup;
    const std::size_t end = std::min(begin + rules_.subgroup, size_);
    for (std::size_t lane = begin; lane < end; ++lane) {
        const LocalState& found = local(here(group, lane));
        if (lane == thread || found.status != Status::access || found.place != place) continue;
        own(group)[thread] = held;
        return;
    }
    for (std::size_t lane = begin; lane < end; ++lane) {
        const LocalState found = local(here(group, lane));
        if (found.status == Status::held && found.place == place) own(group)[lane] = found.other;
    }
}

// Whether accesses conflict with plain accesses of other groups.
bool LaunchSteps::races(std::size_t group, Number touched) {
    if (touched == 0) return false;
    for (std::size_t other = 0; other < groups_; ++other) {
        if (other != group && steps_.sets().conflict(touched, info_[state_[1 + other]].touched)) return true;
    }
    return false;
}

// Throw if accesses conflict with plain accesses of other threads.
void LaunchSteps::check(Number touched, std::size_t group, std::size_t thread) {
    if (touched == 0) return;
    TouchedSets& sets = steps_.sets();
    const bool suspect = sets.conflict(touched, own_touched_) || sets.conflict(touched, new_touched_) || races(group, touched);
    new_touched_ = sets.together(new_touched_, touched);
    all_touched_ = sets.together(all_touched_, touched);
    if (!suspect) return;
    Number all = 0;  // that other threads have touched: what was noted above may be of this thread, or too old
    for (std::size_t other = 0; other < groups_; ++other) {
        for (std::size_t one = 0; one < size_; ++one) {
            if (other != group || one != thread) all = sets.together(all, local(here(other, one)).touched);
        }
    }
    if (sets.conflict(touched, all)) interpreter_.raced(sets.common(touched, all));
}

std::vector<Number>& LaunchSteps::own(std::size_t group) {
    if (!is_changed_[group]) {
        changed_[group].assign(at_[group].begin(), at_[group].end());
        is_changed_[group] = true;
        at_[group] = changed_[group];
    }
    return changed_[group];
}

// Return the number of the state of a group, and note what follows from it if it is new.
Number LaunchSteps::group_number(Row row) {
    const Number number = group_states_.number(row);
    if (number < info_.size()) return number;
    const Row kept = group_states_[number];
    GroupInfo info{0, 0, 0, false};
    std::vector<Mover> movers;
    for (std::size_t thread = 0; thread < size_; ++thread) {
        const LocalState found = local(kept[thread]);
        info.is_live |= found.status != Status::ended;
        info.touched = steps_.sets().together(info.touched, found.touched);
        if (found.status > Status::barrier) continue;
        bool is_first = true;
        const bool is_together = rules_.lockstep && found.status == Status::barrier;
        for (std::size_t lane = thread / rules_.subgroup * rules_.subgroup; is_together && lane < thread; ++lane) {
            const LocalState& other = local(kept[lane]);
            is_first &= other.place != found.place || other.status != found.status;
        }
        if (is_first) movers.push_back({static_cast<Number>(thread), no_number});
    }
    info.movers = static_cast<std::uint32_t>(movers.size());
    info.first_mover = movers_.make_room(movers.size());
    if (!movers.empty()) std::ranges::copy(movers, movers_.at(info.first_mover));
    info_.push_back(info);
    return number;
}

std::pair<std::vector<Number>, std::vector<Number>> LaunchSteps::unfolded(Row row) const {
    std::pair<std::vector<Number>, std::vector<Number>> found;
    for (Number one = 0; one < steps_.elements(); ++one) {
        const Element& element = steps_.element(one);
        const bool is_global = element.group < 0;
        const Row from = is_global ? memories_[row[0]] : group_states_[row[1 + static_cast<std::size_t>(element.group)]];
        const std::size_t place = std::size_t{element.column} + (is_global ? 0 : size_);
        found.first.push_back(place < from.size() ? from[place] : element.initial);
    }
    for (std::size_t group = 0; group < groups_; ++group) {
        const Row from = group_states_[row[1 + group]];
        found.second.insert(found.second.end(), from.begin(), from.begin() + static_cast<std::ptrdiff_t>(size_));
    }
    return found;
}

}  // namespace synth
