#include "simulation/scheduler.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>
#include <utility>

namespace synth {

namespace {

std::vector<int> strided(int workgroups, int stride) {
    std::vector<int> order;
    order.reserve(static_cast<std::size_t>(workgroups));
    for (int first = 0; first < std::min(stride, workgroups); ++first) {
        for (int w = first; w < workgroups; w += stride) order.push_back(w);
    }
    return order;
}

std::vector<int> ordered(const Scheduler& scheduler, int workgroups, RandomNumbers& random) {
    if (scheduler.order == Order::stride) return strided(workgroups, scheduler.spread);
    std::vector<int> order(static_cast<std::size_t>(workgroups));
    std::iota(order.begin(), order.end(), 0);
    switch (scheduler.order) {
        case Order::reverse:
            std::ranges::reverse(order);
            break;
        case Order::random:
            for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(static_cast<std::uint32_t>(k))]);
            break;
        case Order::jitter: {
            std::vector<std::int64_t> place(order.size());
            for (std::size_t w = 0; w < place.size(); ++w) {
                place[w] = static_cast<std::int64_t>(w) + random.below(static_cast<std::uint32_t>(scheduler.spread) + 1);
            }
            std::ranges::stable_sort(order, {}, [&](int w) { return place[static_cast<std::size_t>(w)]; });
            break;
        }
        default:
            break;
    }
    return order;
}

void plant(PlantedFault fault, std::vector<int>& order) {
    constexpr std::ptrdiff_t block = 64;
    const std::ptrdiff_t size = std::ssize(order);
    switch (fault) {
        case PlantedFault::reversed_queue:
            std::ranges::reverse(order);
            break;
        case PlantedFault::swapped_halves:
            std::ranges::rotate(order, order.begin() + size / 2);
            break;
        case PlantedFault::odd_first:
            std::ranges::stable_partition(order, [](int workgroup) { return workgroup % 2 == 1; });
            break;
        case PlantedFault::forgets_last:
            order.pop_back();
            break;
        case PlantedFault::forgets_each_seventh: {
            int number = 0;
            std::erase_if(order, [&](int) { return ++number % 7 == 0; });
            break;
        }
        case PlantedFault::forgets_after_64:
            if (size > block) order.resize(static_cast<std::size_t>(block));
            break;
        default:
            break;
    }
}

}  // namespace

std::vector<int> dispatch_order(const Scheduler& scheduler, int workgroups, RandomNumbers& random) {
    std::vector<int> order = ordered(scheduler, workgroups, random);
    plant(scheduler.fault, order);
    return order;
}

}  // namespace synth
