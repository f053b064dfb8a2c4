#include "simulation/scheduler.hpp"

#include <algorithm>
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

}  // namespace

std::vector<int> dispatch_order(const Scheduler& scheduler, int workgroups, RandomNumbers& random) {
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

}  // namespace synth
