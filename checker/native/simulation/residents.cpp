#include "simulation/residents.hpp"

#include <utility>

namespace synth {

void Residents::begin(const Scheduler& scheduler, int slots, int workgroups, std::vector<int> order) {
    fault_ = scheduler.fault;
    batch_ = fault_ == PlantedFault::starts_pairs ? 2 : scheduler.batch;
    quantum_ = scheduler.quantum;
    waiting_ = static_cast<int>(order.size());
    workgroup_.assign(at(slots), nobody);
    used_.assign(at(slots), 0);
    next_.assign(at(slots), nobody);
    after_.assign(batch_ > 1 ? at(workgroups) : 0, nobody);
    queue_ = std::move(order);
    first_ = 0;
    given_.assign(at(slots), 0);
    preemptions_ = 0;
}

// The workgroup of the queue that is next, which leaves it.
int Residents::take_next() {
    --waiting_;
    if (fault_ == PlantedFault::newest_first) return queue_[place(waiting_)];
    if (fault_ == PlantedFault::second_first && waiting_ > 0) std::swap(queue_[first_], queue_[place(1)]);
    const int taken = queue_[first_];
    first_ = place(1);
    return taken;
}

int Residents::give(int slot) {
    int& workgroup = workgroup_[at(slot)];
    used_[at(slot)] = 0;
    const bool is_retired = fault_ == PlantedFault::slots_retire && given_[at(slot)]++ >= 3;
    const int kept_back = fault_ == PlantedFault::keeps_three_back ? 3 : 0;
    if (next_[at(slot)] != nobody) {
        workgroup = next_[at(slot)];
        next_[at(slot)] = std::exchange(after_[at(workgroup)], nobody);
    } else if (waiting_ > kept_back && !is_retired) {
        workgroup = take_next();
        int* end = &next_[at(slot)];
        for (int k = 1; k < batch_ && waiting_ > kept_back; ++k) {
            *end = take_next();
            end = &after_[at(*end)];
        }
    } else {
        workgroup = nobody;
    }
    return workgroup;
}

void Residents::put_back(int slot) {
    ++preemptions_;
    if (fault_ == PlantedFault::loses_preempted) return;
    if (fault_ == PlantedFault::loses_preempted_when_crowded && waiting_ > 16) return;
    if (fault_ == PlantedFault::preempted_first) first_ = place(static_cast<int>(queue_.size()) - 1);
    queue_[fault_ == PlantedFault::preempted_first ? first_ : place(waiting_)] = workgroup(slot);
    ++waiting_;
}

bool Residents::operator==(const Residents& other) const {
    if (waiting_ != other.waiting_ || workgroup_ != other.workgroup_ || used_ != other.used_) return false;
    if (fault_ == PlantedFault::slots_retire && given_ != other.given_) return false;
    for (int k = 0; k < waiting_; ++k) {
        if (queue_[place(k)] != other.queue_[other.place(k)]) return false;
    }
    return next_ == other.next_ && after_ == other.after_;
}

}  // namespace synth
