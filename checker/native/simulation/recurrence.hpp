// Whether a launch goes on for ever, where nothing in it is random: it does if and only if its whole state recurs.
//
// As long as no workgroup ends, who steps does not depend on what the steps do. So the schedule (slots, queue, and which
// slot was picked) goes round on its own, and from then on each instance is a machine on its own, too, which goes from
// state to state once in each round of the schedule. The whole state recurs if each of these does. This looks for the
// round of the schedule first, then for each instance that comes back to a state at the same point of the round. It finds
// both as Brent does (BIT 20, 1980): compare with a noted state, which is noted anew after 1, 2, 4, ... rounds. Instances
// have periods whose least common multiple may be large; that it need not wait for.
#pragma once

#include <cstdint>
#include <vector>

#include "simulation/placement.hpp"
#include "simulation/residents.hpp"

namespace synth {

class Recurrence {
public:
    // What is looked at must outlive this.
    Recurrence(const Placement& placement, const std::vector<int>& states, const Residents& residents)
        : placement_(placement), states_(states), residents_(residents) {}

    // A workgroup has ended, or the launch begins. `period` is the number of steps in a round of the schedule where that
    // is known, and 0 where it is not.
    void restart(std::int64_t period);

    // A step of the workgroup in this slot ended nobody. Whether it is certain that no workgroup ever ends.
    bool is_certain_after(int slot) { return ++since_ >= check_ && looks(slot); }

    // Steps in a round of the schedule, once it is known.
    std::int64_t period() const { return period_; }

private:
    enum class Phase { waits, seeks_period, follows };
    struct Noted {
        int instance;
        int state;
    };

    bool looks(int slot);
    void note_schedule(int slot);
    void note_instances();
    void follow();

    const Placement& placement_;
    const std::vector<int>& states_;
    const Residents& residents_;

    Phase phase_ = Phase::waits;
    std::int64_t since_ = 0;   // steps since the last end
    std::int64_t check_ = 0;   // the number of such steps after which there is something to compare
    std::int64_t known_ = 0;   // the period, where it is given
    std::int64_t period_ = 0;
    std::int64_t noted_at_ = 0;
    std::int64_t power_ = 1;   // when to note anew, in steps or rounds
    std::int64_t rounds_ = 0;
    int noted_slot_ = nobody;
    Residents noted_residents_;
    std::vector<Noted> noted_;  // the instances that have not come back yet
};

}  // namespace synth
