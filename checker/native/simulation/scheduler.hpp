// The configuration of a simulated scheduler, and the order in which it starts the workgroups of a launch (docs/understand/sim.md).
#pragma once

#include <cstdint>
#include <vector>

#include "simulation/faults.hpp"
#include "simulation/random_numbers.hpp"

namespace synth {

// How the queue of workgroups is ordered when a launch begins.
enum class Order { linear, reverse, stride, random, jitter };
// Which resident workgroup steps next.
enum class Pick { rotate, lowest, random, weighted };

struct Scheduler {
    int least_slots = 1;  // how many workgroups are resident at once: drawn for each launch between these two
    int most_slots = 1;
    Order order = Order::linear;
    int spread = 1;  // of Order::stride the stride, of Order::jitter the most that a workgroup is moved back
    int batch = 1;   // how many workgroups a slot takes from the queue at once
    int quantum = 0; // after so many steps a workgroup gives up its slot; 0: never
    Pick pick = Pick::rotate;
    std::uint64_t seed = 0;
    PlantedFault fault = PlantedFault::none;

    bool is_deterministic() const { return pick == Pick::rotate || pick == Pick::lowest; }
};

// The workgroups 0, 1, ... of a launch in the order in which they get slots.
std::vector<int> dispatch_order(const Scheduler& scheduler, int workgroups, RandomNumbers& random);

}  // namespace synth
