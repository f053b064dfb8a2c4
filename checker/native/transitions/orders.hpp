// Orders of few threads, by number.
//
// An order says which thread stands at each place. The orders of n threads have the numbers 0 ... n! - 1, rising
// lexicographically; number 0 leaves the threads as they are.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace synth {

class Orders {
public:
    static constexpr int max_threads = 5;
    using Order = std::array<std::uint8_t, max_threads>;  // place -> thread; later places have no meaning

    // The orders of so many threads, at most `max_threads`.
    static const Orders& of(int threads) {
        static const std::array<Orders, max_threads + 1> all{Orders(0), Orders(1), Orders(2),
                                                               Orders(3), Orders(4), Orders(5)};
        return all[static_cast<std::size_t>(threads)];
    }

    int threads() const { return threads_; }
    std::size_t size() const { return orders_.size(); }
    const Order& operator[](std::size_t number) const { return orders_[number]; }
    std::size_t number(const Order& order) const { return numbers_[code(order)]; }

private:
    static constexpr int place_bits = 3;

    explicit Orders(int threads) : threads_(threads) {
        Order order{};
        for (int t = 0; t < threads; ++t) order[static_cast<std::size_t>(t)] = static_cast<std::uint8_t>(t);
        const auto end = order.begin() + threads;
        do {
            numbers_[code(order)] = static_cast<std::uint8_t>(orders_.size());
            orders_.push_back(order);
        } while (std::next_permutation(order.begin(), end));
    }

    std::size_t code(const Order& order) const {
        std::size_t code = 0;
        for (int place = 0; place < threads_; ++place) {
            code |= static_cast<std::size_t>(order[static_cast<std::size_t>(place)]) << (place_bits * place);
        }
        return code;
    }

    int threads_;
    std::vector<Order> orders_;
    std::array<std::uint8_t, std::size_t{1} << (place_bits * max_threads)> numbers_{};
};

}  // namespace synth
