// Whole launches of a test on a simulated scheduler: thousands of workgroups, step by step, until all have ended or it
// is certain that they never will (docs/understand/sim.md). The same seed gives the same launches. The twin is
// tests/support/simulation_twin.py.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "simulation/placement.hpp"
#include "simulation/recurrence.hpp"
#include "simulation/residents.hpp"
#include "simulation/scheduler.hpp"
#include "simulation/stuck.hpp"
#include "transitions/lts.hpp"

namespace synth {

// What happens in a launch, in order.
struct Event {
    enum Kind : std::int32_t { start, step, preempt, end };

    std::int32_t kind;
    std::int32_t workgroup;
    std::int32_t slot;
};

// Takes the events of a launch, some at a time, so that those of a long launch need little memory.
class EventLog {
public:
    explicit EventLog(std::function<void(const std::vector<Event>&)> take) : take_(std::move(take)) { events_.reserve(at_once); }

    void note(Event::Kind kind, int workgroup, int slot) {
        events_.push_back({kind, workgroup, slot});
        if (events_.size() == at_once) hand_over();
    }
    void hand_over() {
        if (events_.empty()) return;
        take_(events_);
        events_.clear();
    }

private:
    static constexpr std::size_t at_once = std::size_t{1} << 14;

    const std::function<void(const std::vector<Event>&)> take_;
    std::vector<Event> events_;
};

struct LaunchResult {
    bool is_hung = false;
    std::int64_t steps = 0;   // until all had ended, or the hang was certain
    int slots = 0;            // as many as were drawn
    std::int64_t period = 0;  // of a hang that recurrence decided: the steps in a round of the schedule, else 0
    // By instance: the threads that have had a slot, and those that have ended.
    std::vector<ThreadSet> started;
    std::vector<ThreadSet> finished;
};

// Simulates launches of one test under one mapping. Keeps its memory from one launch to the next.
class Simulator {
public:
    // Throws InputFault where the places are no instances of the test, or where the scheduler pre-empts and either picks at
    // random or has batches.
    Simulator(const Scheduler& scheduler, const Lts& lts, Placement placement);
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    // A launch by its number, from 0 on. Where `events` is given, it takes what happens. Where `schedule` is given, it has the
    // workgroups that step, one after the other, in place of those that a random pick draws.
    // Throws InputFault where a workgroup of the schedule is not resident, or where it ends before the launch does.
    LaunchResult run(std::uint64_t launch, EventLog* events = nullptr, const std::vector<std::int32_t>* schedule = nullptr);

    // All workgroups are resident, and those of a list step one after the other. Whether the device is then in the state in
    // which it was before the step at place `prefix`, so that the steps from there on can be repeated for ever.
    // Throws InputFault where a workgroup is not there or has ended, or where no step follows `prefix`.
    bool recurs(const std::vector<std::int32_t>& workgroups, std::size_t prefix);

private:
    LaunchResult run_picking(RandomNumbers& random, EventLog* events, const std::vector<std::int32_t>* schedule);
    template <class Picker>
    LaunchResult run_with(Picker picker, EventLog* events);
    int give(int slot, EventLog* events);
    void follow_instance(int instance);
    std::int64_t known_period(int occupied) const;

    const Scheduler scheduler_;
    const Lts& lts_;
    const Placement placement_;

    Residents residents_;
    std::vector<int> states_;           // of each instance: its state
    std::vector<ThreadSet> resident_;   // of each instance: who of it is resident
    std::vector<ThreadSet> started_;    // of each instance: who has been
    Recurrence recurrence_;

    // Where the pick is random.
    StuckTables stuck_tables_;
    std::vector<const std::uint8_t*> stuck_;  // of each instance: the table of its residents
    std::vector<std::uint8_t> is_moving_;     // of each instance: whether it has residents and they are not stuck
    int moving_ = 0;
};

}  // namespace synth
