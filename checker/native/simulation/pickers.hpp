// Who steps next: a slot is picked among the occupied ones. Each picker has
//
//     begin(residents)   the launch begins; some slot is occupied
//     pick()             the slot whose workgroup steps
//     given(residents)   the slot picked last has another workgroup now
//     emptied()          the slot picked last is empty from now on, and is not picked any more
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulation/random_numbers.hpp"
#include "simulation/residents.hpp"
#include "work/faults.hpp"

namespace synth {

// The slots that are not empty, by rising number.
inline std::vector<int> occupied(const Residents& residents) {
    std::vector<int> slots;
    for (int slot = 0; slot < residents.slots(); ++slot) {
        if (residents.workgroup(slot) != nobody) slots.push_back(slot);
    }
    return slots;
}

// The occupied slots in turn, one step each.
class RotatePicker {
public:
    void begin(const Residents& residents) {
        next_.assign(static_cast<std::size_t>(residents.slots()), nobody);
        slot_ = occupied(residents).back();
        for (int before = slot_; const int slot : occupied(residents)) before = next_[static_cast<std::size_t>(before)] = slot;
    }
    int pick() {
        before_ = slot_;
        return slot_ = next_[static_cast<std::size_t>(slot_)];
    }
    void given(const Residents&) {}
    void emptied() {
        next_[static_cast<std::size_t>(before_)] = next_[static_cast<std::size_t>(slot_)];
        slot_ = before_;
    }

protected:
    int slot() const { return slot_; }
    int after(int slot) const { return next_[static_cast<std::size_t>(slot)]; }

private:
    std::vector<int> next_;  // of each occupied slot: the next one
    int slot_ = 0;
    int before_ = 0;
};

// The same with a fault planted.
class FaultyRotatePicker : private RotatePicker {
public:
    explicit FaultyRotatePicker(PlantedFault fault) : fault_(fault) {}

    void begin(const Residents& residents) {
        RotatePicker::begin(residents);
        occupied_ = static_cast<int>(occupied(residents).size());
    }
    int pick() {
        const bool sticks = fault_ == PlantedFault::sticks || (fault_ == PlantedFault::sticks_when_crowded && occupied_ > 8);
        if (sticks && goes_on_) return slot();
        goes_on_ = true;
        int picked = RotatePicker::pick();
        for (int k = 1; k < occupied_ && is_skipped(picked); ++k) picked = RotatePicker::pick();
        // All of them are skipped: the turn goes on behind the slot where it was.
        if (is_skipped(picked)) picked = RotatePicker::pick();
        return picked;
    }
    void given(const Residents&) { goes_on_ = false; }
    void emptied() {
        RotatePicker::emptied();
        --occupied_;
        goes_on_ = false;
    }

private:
    bool is_skipped(int slot) const {
        switch (fault_) {
            case PlantedFault::skips_last_slot: return after(slot) < slot;
            case PlantedFault::skips_far_slots: return slot >= 8;
            case PlantedFault::skips_odd_when_crowded: return occupied_ >= 32 && slot % 2 == 1;
            default: return false;
        }
    }

    PlantedFault fault_;
    int occupied_ = 0;
    bool goes_on_ = false;
};

// The slot of the workgroup that a schedule names.
class GivenPicker {
public:
    explicit GivenPicker(const std::vector<std::int32_t>& schedule) : schedule_(schedule) {}

    void begin(const Residents& residents) {
        slots_.clear();
        for (const int slot : occupied(residents)) slots_[residents.workgroup(slot)] = slot;
    }
    int pick() {
        if (next_ == schedule_.size()) throw InputFault("the schedule ends before the launch does");
        workgroup_ = schedule_[next_];
        const auto found = slots_.find(workgroup_);
        if (found == slots_.end()) {
            throw InputFault("step " + std::to_string(next_) + ": found workgroup " + std::to_string(workgroup_) +
                             ", expected one that is resident");
        }
        ++next_;
        return slot_ = found->second;
    }
    void given(const Residents& residents) {
        emptied();
        slots_[residents.workgroup(slot_)] = slot_;
    }
    void emptied() { slots_.erase(workgroup_); }

private:
    const std::vector<std::int32_t>& schedule_;
    std::size_t next_ = 0;
    std::unordered_map<int, int> slots_;  // of each resident workgroup
    int workgroup_ = nobody;
    int slot_ = 0;
};

// The slot of the lowest workgroup.
class LowestPicker {
public:
    void begin(const Residents& residents) {
        heap_.clear();
        for (const int slot : occupied(residents)) heap_.emplace_back(residents.workgroup(slot), slot);
        std::ranges::make_heap(heap_, std::greater());
    }
    int pick() { return heap_.front().second; }
    void given(const Residents& residents) {
        const int slot = pick();
        std::ranges::pop_heap(heap_, std::greater());
        heap_.back() = {residents.workgroup(slot), slot};
        std::ranges::push_heap(heap_, std::greater());
    }
    void emptied() {
        std::ranges::pop_heap(heap_, std::greater());
        heap_.pop_back();
    }

private:
    std::vector<std::pair<int, int>> heap_;  // (workgroup, slot), the lowest first
};

// A random occupied slot: each with the same chance, or, if weighted, the better the nearer to the front of a list of
// the occupied slots. That has slot 0 first at the beginning; when a slot becomes empty, the last takes its place.
template <bool is_weighted>
class RandomPicker {
public:
    explicit RandomPicker(RandomNumbers& random) : random_(random) {}

    void begin(const Residents& residents) {
        occupied_ = occupied(residents);
    }
    int pick() {
        const auto count = static_cast<std::uint32_t>(occupied_.size());
        place_ = random_.below(count);
        if constexpr (is_weighted) place_ = std::min(place_, std::size_t{random_.below(count)});
        return occupied_[place_];
    }
    void given(const Residents&) {}
    void emptied() {
        occupied_[place_] = occupied_.back();
        occupied_.pop_back();
    }

private:
    RandomNumbers& random_;
    std::vector<int> occupied_;
    std::size_t place_ = 0;
};

}  // namespace synth
