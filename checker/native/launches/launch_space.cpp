#include "launches/launch_space.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

constexpr std::size_t step_by_hash = 15;  // steps of work

}  // namespace

LaunchSpace::LaunchSpace(Interpreter& interpreter, LaunchRules rules, std::size_t groups, std::size_t threads_of_group,
                         std::vector<Element> elements)
    : interpreter_(interpreter),
      steps_(interpreter, rules, groups, threads_of_group, std::move(elements)),
      states_(EqualRows(1 + groups)) {
    if (groups > max_groups) {
        throw LimitFault("found " + std::to_string(groups) + " workgroups, expected at most " + std::to_string(max_groups));
    }
}

void LaunchSpace::explore(const std::vector<Number>& first, std::size_t most) {
    using Clock = std::chrono::steady_clock;
    Clock::time_point looked = Clock::now();
    const std::size_t length = 1 + groups();
    states_.number(steps_.start(first));
    for (Number state = 0; state < states_.size(); ++state) {
        steps_.look_at(states_[state]);
        successors_.clear();
        rows_.clear();
        for (std::size_t group = 0; group < groups(); ++group) {
            for (std::uint32_t mover = 0; mover < info(state, group).movers; ++mover) {
                rows_.resize(rows_.size() + length);
                const std::span<Number> next = std::span(rows_).last(length);
                steps_.take(group, mover, next);
                successors_.push_back({states_.fetch_slot(next), !steps_.info(next[1 + group]).is_live});
            }
        }
        for (const Successor& one : successors_) states_.fetch_row(one.hash);
        row_bytes_.clear();
        for (std::size_t i = 0; i < successors_.size(); ++i) {
            const Row row = Row(rows_).subspan(i * length, length);
            add_edge(state, states_.number(row, successors_[i].hash), successors_[i].ends);
        }
        const Number begin = edge_bytes_.make_room(row_bytes_.size());
        std::ranges::copy(row_bytes_, edge_bytes_.at(begin));
        edges_begin_.push_back(begin);
        if (states_.size() > most) {
            throw LimitFault("the launch has more than " + std::to_string(most) + " states; use fewer or smaller workgroups");
        }
        worked(step_by_hash * groups());
        if (state % 1024 == 0 && Clock::now() - looked > std::chrono::milliseconds(50)) {
            interpreter_.tick(states_.size());
            looked = Clock::now();
        }
    }
    states_.close();
    steps_.close();
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
    while (mover_ == movers_) {
        if (group_ + 1U == space.groups()) return false;
        ++group_;
        mover_ = 0;
        movers_ = static_cast<std::uint16_t>(space.info(state_, group_).movers);
    }
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
    edge.mover = mover_;
    edge.others = space.steps_.meets_in_grid() ? space.live(state_) & ~space.live(edge.to) & ~(std::uint32_t{1} << group_) : 0;
    ++mover_;
    return true;
}

std::uint32_t LaunchSpace::live(Number state) const {
    std::uint32_t live = 0;
    for (std::size_t group = 0; group < groups(); ++group) {
        live |= static_cast<std::uint32_t>(info(state, group).is_live) << group;
    }
    return live;
}

std::vector<Number> LaunchSpace::stuck() const {
    std::vector<Number> found;
    for (Number state = 0; state < states_.size(); ++state) {
        std::size_t able = 0;
        for (std::size_t group = 0; group < groups(); ++group) able += movers(state, group);
        if (able == 0 && live(state) != 0) found.push_back(state);
    }
    return found;
}

std::vector<Number> LaunchSpace::ended() const {
    std::vector<Number> found;
    for (Number state = 0; state < states_.size(); ++state) {
        if (live(state) == 0) found.push_back(state);
    }
    return found;
}

// States are numbered by their distance from the start. So the first state from which a step leads to a state is on a
// shortest way there.
std::vector<Number> LaunchSpace::way_to(Number goal) const {
    struct Came {
        Number from, thread;
    };
    std::vector<Came> came(std::size_t{goal} + 1, {no_number, 0});
    for (Number state = 0; goal != 0 && came[goal].from == no_number; ++state) {
        Edge edge{};
        for (Cursor cursor = edges_of(state); cursor.next(*this, edge);) {
            if (edge.to <= goal && came[edge.to].from == no_number) came[edge.to] = {state, thread(state, edge)};
        }
        worked(step_by_hash);
    }
    std::vector<Number> way;
    for (Number state = goal; state != 0; state = came[state].from) way.push_back(came[state].thread);
    std::ranges::reverse(way);
    return way;
}

}  // namespace synth
