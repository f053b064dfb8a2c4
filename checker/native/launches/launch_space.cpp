#include "launches/launch_space.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t kept_steps = std::size_t{1} << 16;  // of groups: they fit into a cache of the processor
constexpr std::size_t step_by_hash = 15;                  // steps of work

// End a row before its last numbers that are as they were at the start.
void trim(std::vector<Number>& row, std::size_t from, const std::vector<Number>& at_start) {
    while (row.size() > from && row.back() == at_start[row.size() - from - 1]) row.pop_back();
}

void set(std::vector<Number>& row, std::size_t from, const std::vector<Number>& at_start, std::size_t column, Number value) {
    while (row.size() <= from + column) row.push_back(at_start[row.size() - from]);
    row[from + column] = value;
}

}  // namespace

LaunchSpace::LaunchSpace(Interpreter& interpreter, LaunchRules rules, std::size_t groups, std::size_t threads_of_group,
                         std::vector<Element> elements)
    : interpreter_(interpreter),
      rules_(rules),
      groups_(groups),
      size_(threads_of_group),
      steps_(interpreter, std::move(elements), groups),
      states_(EqualRows(1 + groups)),
      known_(kept_steps),
      at_(groups),
      next_(1 + groups),
      changed_(groups),
      is_changed_(groups) {
    if (groups > max_groups) {
        throw LimitFault("found " + std::to_string(groups) + " workgroups, expected at most " + std::to_string(max_groups));
    }
    if (threads_of_group > UINT16_MAX) throw LimitFault("found a local size above 65,535");
}

void LaunchSpace::explore(const std::vector<Number>& first, std::size_t most) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point looked = Clock::now();
    next_[0] = memories_.number({});
    for (std::size_t group = 0; group < groups_; ++group) {
        next_[1 + group] = group_number(Row(first).subspan(group * size_, size_));
    }
    states_.number(next_);
    for (Number state = 0; state < states_.size(); ++state) {
        look_at(state);
        successors_.clear();
        rows_.clear();
        for (std::size_t group = 0; group < groups_; ++group) {
            const GroupInfo info = info_[states_[state][1 + group]];
            for (std::uint32_t i = 0; i < info.movers; ++i) {
                const Number thread = mover_lists_.at(info.first_mover)[i];
                if (!quick_step(group, thread)) {
                    whole_step(group, thread);
                    look_at(state);
                }
                successors_.push_back({states_.fetch_slot(next_), !info_[next_[1 + group]].is_live});
                rows_.insert(rows_.end(), next_.begin(), next_.end());
            }
        }
        for (const Successor& one : successors_) states_.fetch_row(one.hash);
        row_bytes_.clear();
        for (std::size_t i = 0; i < successors_.size(); ++i) {
            const Row row = Row(rows_).subspan(i * next_.size(), next_.size());
            add_edge(state, states_.number(row, successors_[i].hash), successors_[i].ends);
        }
        const Number begin = edge_bytes_.make_room(row_bytes_.size());
        std::ranges::copy(row_bytes_, edge_bytes_.at(begin));
        edges_begin_.push_back(begin);
        if (states_.size() > most) {
            throw LimitFault("the launch has more than " + std::to_string(most) + " states; use fewer or smaller workgroups");
        }
        worked(step_by_hash * groups_);
        if (state % 1024 == 0 && Clock::now() - looked > std::chrono::milliseconds(50)) {
            interpreter_.tick(states_.size());
            looked = Clock::now();
        }
    }
    states_.close();
    memories_.close();
    group_states_.close();
    std::vector<Known>().swap(known_);
}

// An edge is a number in groups of seven bits: the distance to the state, its sign, and whether the group ends.
void LaunchSpace::add_edge(Number from, Number to, bool ends) {
    const std::int64_t distance = std::int64_t{to} - std::int64_t{from};
    std::uint64_t code = (distance < 0 ? 2 * static_cast<std::uint64_t>(-distance) - 1 : 2 * static_cast<std::uint64_t>(distance)) * 2 + (ends ? 1 : 0);
    for (; code >= 128; code >>= 7) row_bytes_.push_back(static_cast<std::uint8_t>(code | 128));
    row_bytes_.push_back(static_cast<std::uint8_t>(code));
    ++edges_;
}

bool LaunchSpace::Cursor::next(const LaunchSpace& space, Edge& edge) {
    const Row row = space.states_[state_];
    while (group_ < space.groups_ && mover_ == space.info_[row[1 + group_]].movers) {
        ++group_;
        mover_ = 0;
    }
    if (group_ == space.groups_) return false;
    std::uint64_t code = 0;
    const std::uint8_t* byte = space.edge_bytes_.at(byte_);
    for (unsigned shift = 0;; shift += 7) {
        ++byte_;
        code |= static_cast<std::uint64_t>(*byte & 127) << shift;
        if ((*byte++ & 128) == 0) break;
    }
    edge.ends = (code & 1) != 0;
    code >>= 1;
    const std::int64_t distance = (code & 1) != 0 ? -static_cast<std::int64_t>((code + 1) / 2) : static_cast<std::int64_t>(code / 2);
    edge.to = static_cast<Number>(std::int64_t{state_} + distance);
    edge.group = group_;
    edge.thread = static_cast<Number>(group_ * space.size_) + space.mover_lists_.at(space.info_[row[1 + group_]].first_mover)[mover_];
    ++mover_;
    return true;
}

// Steps are taken from this state now.
void LaunchSpace::look_at(Number state) {
    const Row row = states_[state];
    memory_ = memories_[row[0]];
    memory_is_changed_ = false;
    for (std::size_t group = 0; group < groups_; ++group) {
        at_[group] = group_states_[row[1 + group]];
        is_changed_[group] = false;
    }
    now_ = state;
}

Number LaunchSpace::held(Number number) const {
    const Element& element = steps_.element(number);
    const bool is_global = element.group < 0;
    if (element.column == no_number) return element.initial;
    const Row row = is_global ? memory_ : at_[static_cast<std::size_t>(element.group)];
    const std::size_t place = element.column + (is_global ? 0 : size_);
    return place < row.size() ? row[place] : element.initial;
}

// Take a step of a thread whose effect on its group is known, and return whether it is.
bool LaunchSpace::quick_step(std::size_t group, Number thread) {
    const Number from = here(group, thread);
    if (rules_.lockstep || local(from).status != Status::access) return false;
    const Number leaf = steps_.leaf(from, [this](Number element) { return held(element); });
    const Row state = states_[now_];
    const Number before = state[1 + group];
    const Known& known = known_[(before * std::size_t{0x9E3779B1U} + leaf) % kept_steps];
    if (known.group != before || known.leaf != leaf) return false;
    const Leaf& step = steps_[leaf];
    for (std::size_t other = 0; other < groups_; ++other) {
        const Number touched = info_[state[1 + other]].touched;
        if (touched != 0 && other != group && steps_.sets().conflict(step.touched, touched)) return false;  // `whole_step` throws
    }
    std::ranges::copy(state, next_.begin());
    next_[1 + group] = known.after;
    if (step.writes_global) {
        changed_memory_.assign(memory_.begin(), memory_.end());
        const std::vector<Number>& at_start = steps_.at_start(-1);
        for (const auto& [number, value] : step.writes) {
            const Element& element = steps_.element(number);
            if (element.group < 0) set(changed_memory_, 0, at_start, element.column, value);
        }
        trim(changed_memory_, 0, at_start);
        if (!std::ranges::equal(changed_memory_, memory_)) next_[0] = memories_.number(changed_memory_);
    }
    return true;
}

void LaunchSpace::whole_step(std::size_t group, Number thread) {
    const LocalState first = local(here(group, thread));
    const std::size_t begin = thread / rules_.subgroup * rules_.subgroup;
    const std::size_t end = rules_.lockstep ? std::min(begin + rules_.subgroup, size_) : thread + 1;
    const Row row = at_[group];  // as it was before the first lane
    std::ranges::copy(states_[now_], next_.begin());
    lanes_.clear();
    for (std::size_t lane = thread; lane < end; ++lane) {
        const LocalState& other = local(row[lane]);
        if (other.place == first.place && other.status == first.status) lanes_.push_back(lane);
    }
    own_touched_ = info_[next_[1 + group]].touched;
    new_touched_ = 0;
    Number leaf = no_number;
    for (const std::size_t lane : lanes_) {
        if (first.status == Status::barrier) {
            const Number after = local(here(group, lane)).other;
            own(group)[lane] = after;
        } else {
            leaf = advance(group, lane);
        }
    }
    const Number before = next_[1 + group];
    bool released = false;
    while (release_if_complete(group)) released = true;
    for (std::size_t one = 0; one < groups_; ++one) {
        if (!is_changed_[one]) continue;
        if (rules_.merges) arrive(one);
        next_[1 + one] = finished_group(one);
    }
    if (memory_is_changed_) next_[0] = finished_memory();
    if (leaf != no_number && !rules_.lockstep && !released) {
        known_[(before * std::size_t{0x9E3779B1U} + leaf) % kept_steps] = {before, leaf, next_[1 + group]};
    }
}

// Take the access of a thread, or let it go on behind a barrier. Return its leaf.
Number LaunchSpace::advance(std::size_t group, std::size_t thread) {
    const Number leaf = steps_.leaf(here(group, thread), [this](Number element) { return held(element); });
    const Leaf& step = steps_[leaf];
    const Number touched = step.touched;
    own(group)[thread] = step.after;
    for (const auto& [number, value] : step.writes) {
        const Element& element = steps_.element(number);
        if (element.group < 0) {
            set(own_memory(), 0, steps_.at_start(-1), element.column, value);
            memory_ = changed_memory_;
        } else {
            const auto owner = static_cast<std::size_t>(element.group);
            set(own(owner), size_, steps_.at_start(element.group), element.column, value);
            at_[owner] = changed_[owner];
        }
    }
    check(touched, group, thread);
    return leaf;
}

// Throw if accesses conflict with plain accesses of other threads.
void LaunchSpace::check(Number touched, std::size_t group, std::size_t thread) {
    if (touched == 0) return;
    TouchedSets& sets = steps_.sets();
    bool suspect = sets.conflict(touched, own_touched_) || sets.conflict(touched, new_touched_);
    for (std::size_t other = 0; other < groups_; ++other) {
        if (other != group && sets.conflict(touched, info_[states_[now_][1 + other]].touched)) suspect = true;
    }
    new_touched_ = sets.together(new_touched_, touched);
    if (!suspect) return;
    Number all = 0;  // that other threads have touched: what was noted above may be of this thread, or too old
    for (std::size_t other = 0; other < groups_; ++other) {
        for (std::size_t one = 0; one < size_; ++one) {
            if (other != group || one != thread) all = sets.together(all, local(here(other, one)).touched);
        }
    }
    if (sets.conflict(touched, all)) interpreter_.raced(sets.common(touched, all));
}

// Let threads go on if all that meet at a barrier have arrived, after a step of a group. Return whether they do.
bool LaunchSpace::release_if_complete(std::size_t group) {
    Number barrier = no_number;
    bool is_grid = false;
    const auto look_in = [&](std::size_t one, bool only_grid) {
        for (std::size_t thread = 0; thread < size_ && barrier == no_number; ++thread) {
            const LocalState& found = local(here(one, thread));
            if (found.status != Status::waiting || (only_grid && !found.is_grid)) continue;
            barrier = found.place;
            is_grid = found.is_grid;
        }
    };
    look_in(group, false);
    for (std::size_t one = 0; one < groups_ && barrier == no_number; ++one) look_in(one, true);
    if (barrier == no_number) return false;
    const std::size_t begin = is_grid ? 0 : group, end = is_grid ? groups_ : group + 1;
    meeting_.clear();
    for (std::size_t one = begin; one < end; ++one) {
        for (std::size_t thread = 0; thread < size_; ++thread) {
            const LocalState& found = local(here(one, thread));
            if (rules_.leave && found.status == Status::ended) continue;
            if (found.status != Status::waiting || found.place != barrier) return false;
            meeting_.emplace_back(one, thread);
        }
    }
    for (const auto& [one, thread] : meeting_) {
        const Number released = local(here(one, thread)).released;
        own(one)[thread] = released;
    }
    own_touched_ = new_touched_ = 0;  // all threads of the group that have not ended are here
    for (const auto& [one, thread] : meeting_) advance(one, thread);
    return true;
}

// Let the threads of a group that stand before barriers arrive, except for the last one of the group that runs. If all of
// them are at one barrier, the last one is the one with the highest number, whoever came last.
void LaunchSpace::arrive(std::size_t group) {
    std::size_t running = 0, last_live = size_;
    for (std::size_t thread = 0; thread < size_; ++thread) {
        running += can_step(here(group, thread)) ? 1 : 0;
        if (local(here(group, thread)).status != Status::ended) last_live = thread;
    }
    for (std::size_t thread = 0; thread < size_ && running > 1; ++thread) {
        const LocalState& found = local(here(group, thread));
        if (found.status != Status::barrier) continue;
        const Number after = found.other;
        own(group)[thread] = after;
        --running;
    }
    if (running != 1) return;
    std::size_t last = 0;
    while (!can_step(here(group, last))) ++last;
    const LocalState found = local(here(group, last));
    if (found.status != Status::barrier || last == last_live) return;
    for (std::size_t thread = 0; thread < size_; ++thread) {
        const LocalState& one = local(here(group, thread));
        if (one.status != Status::ended && one.place != found.place) return;
    }
    const Number standing = local(here(group, last_live)).other;
    own(group)[last] = found.other;
    own(group)[last_live] = standing;
}

std::vector<Number>& LaunchSpace::own(std::size_t group) {
    if (!is_changed_[group]) {
        changed_[group].assign(at_[group].begin(), at_[group].end());
        is_changed_[group] = true;
        at_[group] = changed_[group];
    }
    return changed_[group];
}

std::vector<Number>& LaunchSpace::own_memory() {
    if (!memory_is_changed_) {
        changed_memory_.assign(memory_.begin(), memory_.end());
        memory_is_changed_ = true;
        memory_ = changed_memory_;
    }
    return changed_memory_;
}

Number LaunchSpace::finished_group(std::size_t group) {
    trim(changed_[group], size_, steps_.at_start(static_cast<int>(group)));
    return group_number(changed_[group]);
}

Number LaunchSpace::finished_memory() {
    trim(changed_memory_, 0, steps_.at_start(-1));
    return memories_.number(changed_memory_);
}

// Return the number of the state of a group, and note what follows from it if it is new.
Number LaunchSpace::group_number(Row row) {
    const Number number = group_states_.number(row);
    if (number < info_.size()) return number;
    const Row kept = group_states_[number];
    GroupInfo info{0, 0, 0, false};
    std::vector<std::uint16_t> movers;
    for (std::size_t thread = 0; thread < size_; ++thread) {
        const LocalState found = local(kept[thread]);
        info.is_live |= found.status != Status::ended;
        info.touched = steps_.sets().together(info.touched, found.touched);
        if (found.status > Status::barrier) continue;
        bool is_first = true;
        for (std::size_t lane = thread / rules_.subgroup * rules_.subgroup; rules_.lockstep && lane < thread; ++lane) {
            const LocalState& other = local(kept[lane]);
            is_first &= other.place != found.place || other.status != found.status;
        }
        if (is_first) movers.push_back(static_cast<std::uint16_t>(thread));
    }
    info.movers = static_cast<std::uint32_t>(movers.size());
    info.first_mover = mover_lists_.make_room(movers.size());
    if (!movers.empty()) std::ranges::copy(movers, mover_lists_.at(info.first_mover));
    info_.push_back(info);
    return number;
}

std::pair<std::vector<Number>, std::vector<Number>> LaunchSpace::state(Number number) const {
    const Row row = states_[number];
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

std::uint32_t LaunchSpace::live(Number state) const {
    const Row row = states_[state];
    std::uint32_t live = 0;
    for (std::size_t group = 0; group < groups_; ++group) {
        live |= static_cast<std::uint32_t>(info_[row[1 + group]].is_live) << group;
    }
    return live;
}

std::vector<Number> LaunchSpace::stuck() const {
    std::vector<Number> found;
    for (Number state = 0; state < states_.size(); ++state) {
        std::size_t able = 0;
        for (std::size_t group = 0; group < groups_; ++group) able += movers(state, group);
        if (able == 0 && live(state) != 0) found.push_back(state);
    }
    return found;
}

}  // namespace synth
