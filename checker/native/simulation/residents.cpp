#include "simulation/residents.hpp"

#include <utility>

namespace synth {

void Residents::begin(const Scheduler& scheduler, int slots, std::vector<int> order) {
    batch_ = scheduler.batch;
    quantum_ = scheduler.quantum;
    waiting_ = static_cast<int>(order.size());
    workgroup_.assign(at(slots), nobody);
    used_.assign(at(slots), 0);
    next_.assign(at(slots), nobody);
    after_.assign(batch_ > 1 ? order.size() : 0, nobody);
    queue_ = std::move(order);
    first_ = 0;
}

int Residents::take_first() {
    const int taken = queue_[first_];
    first_ = place(1);
    --waiting_;
    return taken;
}

int Residents::give(int slot) {
    int& workgroup = workgroup_[at(slot)];
    used_[at(slot)] = 0;
    if (next_[at(slot)] != nobody) {
        workgroup = next_[at(slot)];
        next_[at(slot)] = std::exchange(after_[at(workgroup)], nobody);
    } else if (waiting_ > 0) {
        workgroup = take_first();
        int* end = &next_[at(slot)];
        for (int k = 1; k < batch_ && waiting_ > 0; ++k) {
            *end = take_first();
            end = &after_[at(*end)];
        }
    } else {
        workgroup = nobody;
    }
    return workgroup;
}

void Residents::put_back(int slot) {
    queue_[place(waiting_)] = workgroup(slot);
    ++waiting_;
}

bool Residents::operator==(const Residents& other) const {
    if (waiting_ != other.waiting_ || workgroup_ != other.workgroup_ || used_ != other.used_) return false;
    for (int k = 0; k < waiting_; ++k) {
        if (queue_[place(k)] != other.queue_[other.place(k)]) return false;
    }
    return next_ == other.next_ && after_ == other.after_;
}

}  // namespace synth
