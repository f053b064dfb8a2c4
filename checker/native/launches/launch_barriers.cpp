// Barriers: who meets at them, whom they release, and which arrivals need no steps of their own (docs/do/progress.md).

#include <algorithm>

#include "launches/launch_steps.hpp"

namespace synth {

// Let threads go on if all that meet at a barrier have arrived, after a step of a group. Return whether they do.
bool LaunchSteps::release_if_complete(std::size_t group) {
    if (!meets_in_subgroup(group) && !meets_in_group(group)) return false;
    for (const auto& [one, thread] : meeting_) {
        const Number released = local(here(one, thread)).released;
        own(one)[thread] = released;
    }
    for (const auto& [one, thread] : meeting_) advance(one, thread);
    return true;
}

// Note the threads of some subgroup of a group, if all of them wait at one barrier.
bool LaunchSteps::meets_in_subgroup(std::size_t group) {
    for (std::size_t first = 0; steps_.meets_in_subgroup() && first < size_; first += rules_.subgroup) {
        const std::size_t end = std::min(first + rules_.subgroup, size_);
        for (std::size_t thread = first; thread < end; ++thread) {
            const LocalState found = local(here(group, thread));
            if (found.status != Status::waiting || found.scope != Scope::subgroup) continue;
            meeting_.clear();
            if (all_wait(group, first, end, found.object, found.mask)) return true;
        }
    }
    return false;
}

// Note the threads of a group or of the launch, if all of them wait at one barrier.
bool LaunchSteps::meets_in_group(std::size_t group) {
    Number barrier = no_number;
    bool is_grid = false;
    const auto look_in = [&](std::size_t one, bool only_grid) {
        for (std::size_t thread = 0; thread < size_ && barrier == no_number; ++thread) {
            const LocalState& found = local(here(one, thread));
            if (found.status != Status::waiting || found.scope == Scope::subgroup || (only_grid && found.scope != Scope::grid)) continue;
            barrier = found.object;
            is_grid = found.scope == Scope::grid;
        }
    };
    look_in(group, false);
    for (std::size_t one = 0; one < groups_ && barrier == no_number; ++one) look_in(one, true);
    if (barrier == no_number) return false;
    meeting_.clear();
    for (std::size_t one = is_grid ? 0 : group; one < (is_grid ? groups_ : group + 1); ++one) {
        if (!all_wait(one, 0, size_, barrier, 0)) return false;
    }
    releases_grid_ |= is_grid;
    own_touched_ = new_touched_ = 0;  // all threads of the group that have not ended are here
    return true;
}

// Note some threads of a group, and return whether all of them wait at a barrier, wherever that stands. If it has a mask, only
// its lanes count.
bool LaunchSteps::all_wait(std::size_t group, std::size_t first, std::size_t end, Number object, std::uint64_t mask) {
    for (std::size_t thread = first; thread < end; ++thread) {
        if (mask != 0 && (mask >> (thread - first) & 1) == 0) continue;
        const LocalState& found = local(here(group, thread));
        if ((rules_.leave || mask != 0) && found.status == Status::ended) continue;
        if (found.status != Status::waiting || found.object != object || found.mask != mask) return false;
        meeting_.emplace_back(group, thread);
    }
    return true;
}

// Let the threads of a group arrive that stand before barriers, as far as this changes no verdict.
void LaunchSteps::arrive(std::size_t group) {
    for (std::size_t first = 0; steps_.meets_in_subgroup() && first < size_; first += rules_.subgroup) {
        arrive_among(group, first, std::min(first + rules_.subgroup, size_), true);
    }
    arrive_among(group, 0, size_, false);
}

// Let threads of a group or of a subgroup arrive at its barriers, except for the last one of them that runs. If all of
// them are at one barrier, the last one is the one with the highest number, whoever came last. Arrivals of lanes whose mask
// leaves some lanes out stay steps of their own.
void LaunchSteps::arrive_among(std::size_t group, std::size_t first, std::size_t end, bool is_subgroup) {
    const auto stands_before = [&](const LocalState& one) {
        if (one.status != Status::barrier || (one.scope == Scope::subgroup) != is_subgroup) return false;
        return one.mask == 0 || one.mask == UINT64_MAX >> (64 - (end - first));
    };
    std::size_t running = 0, last_live = end;
    for (std::size_t thread = first; thread < end; ++thread) {
        running += can_step(here(group, thread)) || local(here(group, thread)).status == Status::held ? 1 : 0;
        if (local(here(group, thread)).status != Status::ended) last_live = thread;
    }
    for (std::size_t thread = first; thread < end && running > 1; ++thread) {
        const LocalState& found = local(here(group, thread));
        if (!stands_before(found)) continue;
        const Number after = found.other;
        own(group)[thread] = after;
        --running;
    }
    std::size_t last = first;
    while (last < end && !can_step(here(group, last))) ++last;
    if (running != 1 || last == end) return;
    const LocalState found = local(here(group, last));
    if (!stands_before(found) || last == last_live) return;
    for (std::size_t thread = first; thread < end; ++thread) {
        const LocalState& one = local(here(group, thread));
        if (one.status != Status::ended && one.object != found.object) return;
    }
    const Number standing = local(here(group, last_live)).other;
    own(group)[last] = found.other;
    own(group)[last_live] = standing;
}

}  // namespace synth
