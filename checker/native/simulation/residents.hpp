// Which workgroups are resident, each in a slot, and which wait: in the queue, or in the batch that a slot has taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "simulation/scheduler.hpp"

namespace synth {

constexpr int nobody = -1;

class Residents {
public:
    // Nobody is resident, and those in `order` wait, of so many workgroups.
    void begin(const Scheduler& scheduler, int slots, int workgroups, std::vector<int> order);

    int slots() const { return static_cast<int>(workgroup_.size()); }
    // Who has a slot; nobody where it is empty.
    int workgroup(int slot) const { return workgroup_[at(slot)]; }
    bool anyone_waits() const { return waiting_ > 0; }

    // Give a slot to the next workgroup of the batch that it took; after the last, it takes the next batch from the queue.
    // Returns who has it now.
    int give(int slot);
    // Let the workgroup in a slot wait at the end of the queue. The slot is to be given away next.
    void put_back(int slot);

    // One more step of the workgroup in a slot; whether it has had as many as it may have at once.
    bool has_used_up(int slot) {
        if (fault_ == PlantedFault::stops_preempting && preemptions_ >= most_preemptions) return false;
        return quantum_ > 0 && ++used_[at(slot)] == quantum_;
    }
    // Whether a fault still counts what happens, so that what looks the same now may go on differently.
    bool counts() const { return fault_ == PlantedFault::stops_preempting && preemptions_ < most_preemptions; }

    // Whether every slot, batch and place of the queue is as it was. As a queue is first in, first out, less would do: while
    // no workgroup ends, either the slots or the queue decide the other, and batches stay as they are.
    bool operator==(const Residents& other) const;

private:
    static constexpr int most_preemptions = 100;  // of PlantedFault::stops_preempting

    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    int take_next();
    std::size_t place(int behind_first) const { return (first_ + at(behind_first)) % queue_.size(); }

    int batch_ = 1;
    int quantum_ = 0;
    std::vector<int> workgroup_;  // of each slot
    std::vector<int> used_;       // of each slot: the steps since it was given away
    std::vector<int> next_;       // of each slot: the first that waits in its batch
    std::vector<int> after_;      // of each workgroup that waits in a batch: the one behind it
    std::vector<int> queue_;      // a ring
    std::size_t first_ = 0;
    int waiting_ = 0;  // in the queue

    PlantedFault fault_ = PlantedFault::none;
    std::vector<int> given_;  // of each slot: how often it was given away
    int preemptions_ = 0;
};

}  // namespace synth
