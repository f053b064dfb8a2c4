#include "simulation/recurrence.hpp"

#include <algorithm>

namespace synth {

void Recurrence::restart(std::int64_t period) {
    phase_ = Phase::waits;
    known_ = period;
    since_ = 0;
    // Ends come often, so that what is noted must not cost more than the steps between.
    check_ = std::max<std::int64_t>(64, period > 0 ? residents_.slots() : placement_.workgroups());
}

bool Recurrence::looks(int slot) {
    switch (phase_) {
        case Phase::waits:
            if (known_ > 0) {
                period_ = known_;
                follow();
            } else {
                power_ = check_;
                note_schedule(slot);
            }
            return false;
        case Phase::seeks_period:
            if (slot == noted_slot_ && residents_ == noted_residents_) {
                period_ = since_ - noted_at_;
                follow();
            } else if (since_ - noted_at_ == power_) {
                power_ *= 2;
                note_schedule(slot);
            } else {
                check_ = since_ + 1;
            }
            return false;
        case Phase::follows:
            std::erase_if(noted_, [&](const Noted& one) { return states_[static_cast<std::size_t>(one.instance)] == one.state; });
            if (++rounds_ == power_) {
                power_ *= 2;
                rounds_ = 0;
                for (Noted& one : noted_) one.state = states_[static_cast<std::size_t>(one.instance)];
            }
            check_ = since_ + period_;
            return noted_.empty();
    }
    return false;
}

void Recurrence::note_schedule(int slot) {
    phase_ = Phase::seeks_period;
    noted_slot_ = slot;
    noted_residents_ = residents_;
    noted_at_ = since_;
    check_ = since_ + 1;
}

void Recurrence::follow() {
    phase_ = Phase::follows;
    note_instances();
    power_ = 1;
    rounds_ = 0;
    check_ = since_ + period_;
}

void Recurrence::note_instances() {
    noted_.clear();
    if (known_ > 0) {  // only residents step
        for (int slot = 0; slot < residents_.slots(); ++slot) {
            if (residents_.workgroup(slot) == nobody) continue;
            const int instance = placement_[residents_.workgroup(slot)].instance;
            noted_.push_back({instance, states_[static_cast<std::size_t>(instance)]});
        }
    } else {
        for (int instance = 0; instance < placement_.instances; ++instance) {
            noted_.push_back({instance, states_[static_cast<std::size_t>(instance)]});
        }
    }
}

}  // namespace synth
