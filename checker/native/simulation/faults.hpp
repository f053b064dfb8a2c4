// Faults that can be planted in the simulated scheduler, each one edit to it. synth_devices/sim/faults.py says which
// promise each of them breaks.
#pragma once

#include <array>
#include <string_view>

namespace synth {

enum class PlantedFault {
    none,
    // The order of the queue.
    reversed_queue,
    swapped_halves,
    odd_first,
    // Who never gets a slot.
    forgets_last,
    forgets_each_seventh,
    forgets_after_64,
    // How slots are given away.
    newest_first,
    second_first,
    slots_retire,
    keeps_three_back,
    starts_pairs,
    // Who steps.
    skips_last_slot,
    skips_far_slots,
    sticks,
    sticks_when_crowded,
    skips_odd_when_crowded,
    // Pre-emption.
    loses_preempted,
    preempted_first,
    stops_preempting,
    loses_preempted_when_crowded,
};

// Their names, in the same order.
inline constexpr std::array<std::string_view, 21> fault_names{
    "none",
    "reversed-queue",
    "swapped-halves",
    "odd-first",
    "forgets-last",
    "forgets-each-seventh",
    "forgets-after-64",
    "newest-first",
    "second-first",
    "slots-retire",
    "keeps-three-back",
    "starts-pairs",
    "skips-last-slot",
    "skips-far-slots",
    "sticks",
    "sticks-when-crowded",
    "skips-odd-when-crowded",
    "loses-preempted",
    "preempted-first",
    "stops-preempting",
    "loses-preempted-when-crowded",
};

constexpr bool is_of_pick(PlantedFault fault) { return fault >= PlantedFault::skips_last_slot && fault <= PlantedFault::skips_odd_when_crowded; }

}  // namespace synth
