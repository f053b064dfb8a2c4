// Who steps next: a slot is picked among the occupied ones. Each picker has
//
//     begin(residents)   all slots from 0 to residents.slots() - 1 are occupied
//     pick()             the slot whose workgroup steps
//     given(residents)   the slot picked last has another workgroup now
//     emptied()          the slot picked last is empty from now on, and is not picked any more
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "simulation/random_numbers.hpp"
#include "simulation/residents.hpp"

namespace synth {

// The occupied slots in turn, one step each.
class RotatePicker {
public:
    void begin(const Residents& residents) {
        next_.resize(static_cast<std::size_t>(residents.slots()));
        std::iota(next_.begin(), next_.end(), 1);
        next_.back() = 0;
        slot_ = static_cast<int>(next_.size()) - 1;
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

private:
    std::vector<int> next_;  // of each occupied slot: the next one
    int slot_ = 0;
    int before_ = 0;
};

// The slot of the lowest workgroup.
class LowestPicker {
public:
    void begin(const Residents& residents) {
        heap_.clear();
        for (int slot = 0; slot < residents.slots(); ++slot) heap_.emplace_back(residents.workgroup(slot), slot);
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
        occupied_.resize(static_cast<std::size_t>(residents.slots()));
        std::iota(occupied_.begin(), occupied_.end(), 0);
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
