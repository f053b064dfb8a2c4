// The search in lanes of one shape (lanes.hpp): partial programs go in, and the tests that they lead to come out.
//
// It applies where all rules are in force, there are two values, and states fit into few words. The search edge by edge
// (explicit_search.cpp) is its twin, and hands it the partial programs below the last cut, or the one of which nothing is
// decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "search/decision.hpp"
#include "search/lane_tables.hpp"
#include "search/lanes.hpp"

namespace synth {

class LaneSearch {
public:
    // Each test is written once for each of `orders`, which say which thread stands at each place.
    LaneSearch(const Shape& shape, const std::vector<std::vector<int>>& orders, lanes::Examine examine);

    // Take a partial program, which has undecided edges; all that are taken before `advance` have equally many decisions.
    void take(const std::vector<Decision>& decisions);

    bool is_full() const { return work_.partial.size >= most_taken; }
    bool is_empty() const { return work_.partial.size == 0; }

    // Examine about so many partial programs, and append the tests found to `ids` unless it is null. Return how many were
    // examined; `found` grows by the number of tests in all orders.
    std::uint64_t advance(std::uint64_t steps, std::string* ids, std::uint64_t& found);

private:
    static constexpr std::size_t most_taken = 1024;
    static constexpr std::size_t tests_at_once = 4096;

    // A place in the line of a test: the instruction that stands there, and its text for each code.
    struct Column {
        int instruction;
        const std::uint32_t* texts;
        bool ends_thread;
    };

    lanes::Stack stack(std::size_t capacity);
    void write_tests(std::string& ids) const;

    lanes::ShapeTables tables_;
    lanes::Examine examine_;
    std::vector<std::unique_ptr<lanes::Word[]>> memory_;
    lanes::Work work_{};
    std::vector<std::vector<std::uint32_t>> texts_;  // [instruction * locations + name of its location][code]
    std::vector<std::vector<Column>> lines_;         // one for each order
    std::size_t line_size_ = 0;
};

}  // namespace synth
