#include "simulation/simulation.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "simulation/pickers.hpp"
#include "work/faults.hpp"
#include "work/work.hpp"

namespace synth {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

ThreadSet only(int thread) { return ThreadSet{1} << thread; }

ThreadSet all(int threads) { return threads == Lts::max_threads ? ~ThreadSet{0} : only(threads) - 1; }

void check(const Placement& placement, const Lts& lts) {
    if (lts.live(0) != all(lts.threads())) throw InputFault("found a thread that has ended at the start, expected none");
    std::vector<ThreadSet> placed(at(placement.instances), 0);
    for (const Placement::Place& place : placement.places) {
        if (place.instance < 0 || place.instance >= placement.instances || place.thread < 0 || place.thread >= lts.threads() ||
            (placed[at(place.instance)] & only(place.thread)) != 0) {
            throw InputFault("found a workgroup for thread " + std::to_string(place.thread) + " of instance " +
                             std::to_string(place.instance) + ", expected one for each thread of each of " +
                             std::to_string(placement.instances) + " instances");
        }
        placed[at(place.instance)] |= only(place.thread);
    }
    if (placement.workgroups() == 0 || placement.workgroups() != placement.instances * lts.threads()) {
        throw InputFault("found " + std::to_string(placement.workgroups()) + " workgroups, expected " +
                         std::to_string(lts.threads()) + " for each of " + std::to_string(placement.instances) + " instances");
    }
}

}  // namespace

Simulator::Simulator(const Scheduler& scheduler, const Lts& lts, Placement placement)
    : scheduler_(scheduler),
      lts_(lts),
      placement_(std::move(placement)),
      recurrence_(placement_, states_, residents_),
      stuck_tables_(lts) {
    check(placement_, lts_);
    if (!scheduler.is_deterministic() && scheduler.quantum > 0) {
        throw InputFault("found a random pick with pre-emption, of which hangs can't be decided; expected one of the two");
    }
    if (scheduler.batch > 1 && scheduler.quantum > 0) {
        throw InputFault("found batches with pre-emption, though the workgroups of a batch run one after the other; expected one of the two");
    }
}

LaunchResult Simulator::run(std::uint64_t launch, EventLog* events, const std::vector<std::int32_t>* schedule) {
    RandomNumbers random(scheduler_.seed, launch);
    int slots = scheduler_.least_slots;
    if (scheduler_.most_slots > slots) slots += static_cast<int>(random.below(static_cast<std::uint32_t>(scheduler_.most_slots - slots + 1)));
    const int workgroups = placement_.workgroups();
    const int batches = (workgroups - 1) / scheduler_.batch + 1;  // more slots would never be used
    residents_.begin(scheduler_, std::min(slots, batches), workgroups, dispatch_order(scheduler_, workgroups, random));
    states_.assign(at(placement_.instances), 0);
    resident_.assign(at(placement_.instances), 0);
    started_.assign(at(placement_.instances), 0);
    stuck_.assign(scheduler_.is_deterministic() ? 0 : at(placement_.instances), nullptr);
    is_moving_.assign(stuck_.size(), 0);
    moving_ = 0;

    LaunchResult result;
    try {
        result = run_picking(random, events, schedule);
    } catch (const InputFault&) {
        if (events != nullptr) events->hand_over();  // whoever takes them learns how far the schedule went
        throw;
    }
    if (events != nullptr) events->hand_over();
    worked(at(workgroups));  // many short launches are long work, too
    result.slots = slots;
    result.started = started_;
    result.finished.reserve(states_.size());
    for (const int state : states_) result.finished.push_back(all(lts_.threads()) & ~lts_.live(state));
    return result;
}

LaunchResult Simulator::run_picking(RandomNumbers& random, EventLog* events, const std::vector<std::int32_t>* schedule) {
    if (schedule != nullptr && !scheduler_.is_deterministic()) return run_with(GivenPicker(*schedule), events);
    switch (scheduler_.pick) {
        case Pick::rotate:
            if (is_of_pick(scheduler_.fault)) return run_with(FaultyRotatePicker(scheduler_.fault), events);
            return run_with(RotatePicker(), events);
        case Pick::lowest: return run_with(LowestPicker(), events);
        case Pick::random: return run_with(RandomPicker<false>(random), events);
        default: return run_with(RandomPicker<true>(random), events);
    }
}

bool Simulator::recurs(const std::vector<std::int32_t>& workgroups, std::size_t prefix) {
    if (prefix >= workgroups.size()) throw InputFault("found a schedule without a cycle, expected at least one step in it");
    states_.assign(at(placement_.instances), 0);
    std::vector<int> before;
    for (std::size_t k = 0; k < workgroups.size(); ++k) {
        worked(1);
        if (k == prefix) before = states_;
        const std::int32_t workgroup = workgroups[k];
        const bool is_there = workgroup >= 0 && workgroup < placement_.workgroups();
        const auto [instance, thread] = placement_[is_there ? workgroup : 0];
        if (!is_there || (lts_.live(states_[at(instance)]) & only(thread)) == 0) {
            throw InputFault("step " + std::to_string(k) + ": found workgroup " + std::to_string(workgroup) +
                             ", expected one that has not ended");
        }
        states_[at(instance)] = lts_.successor(states_[at(instance)], thread);
    }
    return states_ == before;
}

template <class Picker>
LaunchResult Simulator::run_with(Picker picker, EventLog* events) {
    constexpr int poll = 1 << 12;  // steps between two looks for signals
    const int workgroups = placement_.workgroups();
    const bool is_random = !scheduler_.is_deterministic();
    int occupied = 0;
    int ended = 0;
    for (int slot = 0; slot < residents_.slots(); ++slot) occupied += give(slot, events) == nobody ? 0 : 1;
    if (occupied > 0) picker.begin(residents_);
    recurrence_.restart(known_period(occupied));

    // The slot that was picked last is free: whether anyone gets it.
    const auto give_away = [&](int slot) {
        const bool is_given = give(slot, events) != nobody;
        if (is_given) {
            picker.given(residents_);
        } else {
            picker.emptied();
            --occupied;
        }
        return is_given;
    };

    LaunchResult result;
    while (occupied > 0 && (!is_random || moving_ > 0)) {
        const int slot = picker.pick();
        const int workgroup = residents_.workgroup(slot);
        const auto [instance, thread] = placement_[workgroup];
        const int state = states_[at(instance)] = lts_.successor(states_[at(instance)], thread);
        if (events != nullptr) events->note(Event::step, workgroup, slot);
        if (++result.steps % poll == 0) worked(poll);

        if ((lts_.live(state) & only(thread)) == 0) {
            if (events != nullptr) events->note(Event::end, workgroup, slot);
            ++ended;
            resident_[at(instance)] &= ~only(thread);
            follow_instance(instance);
            give_away(slot);
            recurrence_.restart(known_period(occupied));
            continue;
        }
        if (residents_.has_used_up(slot)) {
            if (events != nullptr) events->note(Event::preempt, workgroup, slot);
            resident_[at(instance)] &= ~only(thread);
            residents_.put_back(slot);
            if (!give_away(slot) || residents_.counts()) recurrence_.restart(known_period(occupied));
        }
        if (is_random) {
            if (is_moving_[at(instance)] != 0 && stuck_[at(instance)][at(state)] != 0) {
                is_moving_[at(instance)] = 0;
                --moving_;
            }
        } else if (recurrence_.is_certain_after(slot)) {
            result.period = recurrence_.period();
            break;
        }
    }
    result.is_hung = ended < workgroups;
    return result;
}

// Give a slot to who is next, if anyone is; returns who.
int Simulator::give(int slot, EventLog* events) {
    const int workgroup = residents_.give(slot);
    if (workgroup == nobody) return workgroup;
    if (events != nullptr) events->note(Event::start, workgroup, slot);
    const auto [instance, thread] = placement_[workgroup];
    started_[at(instance)] |= only(thread);
    resident_[at(instance)] |= only(thread);
    follow_instance(instance);
    return workgroup;
}

// The residents of an instance have changed: whether they may still end one of themselves.
void Simulator::follow_instance(int instance) {
    if (scheduler_.is_deterministic()) return;
    const ThreadSet residents = resident_[at(instance)];
    const bool was_moving = is_moving_[at(instance)] != 0;
    bool is_moving = false;
    if (residents != 0) {
        stuck_[at(instance)] = stuck_tables_.of(residents);
        is_moving = stuck_[at(instance)][at(states_[at(instance)])] == 0;
    }
    is_moving_[at(instance)] = is_moving ? 1 : 0;
    moving_ += static_cast<int>(is_moving) - static_cast<int>(was_moving);
}

// The steps in a round of the schedule as long as nobody ends; 0 where that is not plain.
std::int64_t Simulator::known_period(int occupied) const {
    if (scheduler_.quantum > 0 || is_of_pick(scheduler_.fault)) return 0;
    return scheduler_.pick == Pick::lowest ? 1 : std::max(occupied, 1);
}

}  // namespace synth
