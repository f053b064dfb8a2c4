// Find every test of a shape by execution: an explicit-state search without formulas (definitions, sections 1 to 3).
//
// A shape says which location each instruction uses. Nothing else of a program is decided before an execution needs it. An
// instruction has an edge for each value that it can read. When the first reached state is at an undecided edge, the search
// tries every way to decide that edge. So programs that differ only in what no execution observes are one leaf, and every
// test is in exactly one leaf. A partial program is dropped as soon as some state can reach neither the end nor an
// undecided edge (closures.hpp), or if no continuation can satisfy `inter-thread-influence`.
//
// Values that are not named yet are interchangeable, so only the least of them is tried. The decided fields fix every named
// value. Hence each program occurs under exactly one naming of its values, in the order in which the search meets them. Its
// normal form names them in program order instead.
//
// A search can be cut into parts that are searched independently. At some depth, counted in decisions, the search numbers
// the partial programs and the tests found above it, in the order in which it meets them. A part continues with those whose
// number has the part's remainder. So each test is in exactly one part, and a random part is an unbiased sample of the
// whole. Every part searches what is above the cut, which is little. A part can be cut again at a greater depth.
//
// Later releases must be able to search parts that were written down. Whoever changes the order of the search, or what it
// drops, must raise `order`.
//
// Below the last cut, many partial programs are searched side by side in lanes (lane_search.hpp), where that applies.
//
// The search shares neither rules nor reachability with the rest of the core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/decision.hpp"

namespace synth {

// Which of the rules that can be dropped are in force.
struct RulesInForce {
    bool inter_thread_influence = true;
    bool all_branches = true;
    bool effective_stores = true;
    bool meaningful_comparisons = true;
};

// A part of a search that is cut at a depth: what is numbered there and has the remainder `index` modulo `of`.
struct Cut {
    int depth;
    std::uint64_t index, of;
};

class ExplicitSearch {
public:
    // Make the search of a shape with at most so many values, or of the part that several cuts leave; each cut is deeper
    // than the one before. Each test is written once for each of `orders`, which say which thread stands at each place.
    // Throws LimitFault if there are more states or values than the search has room for, and InputFault if an order is not
    // a permutation, a cut is wrong, or `path` is none of `paths` that the processor has. The empty path is the fastest.
    static std::unique_ptr<ExplicitSearch> make(const Shape& shape, int values, RulesInForce rules,
                                                std::vector<std::vector<int>> orders, const std::vector<Cut>& cuts = {},
                                                std::string_view path = {});

    // The names of the ways to search, the fastest first, and whether this processor has them. All find the same tests.
    static std::vector<std::pair<std::string_view, bool>> paths();
    static constexpr std::string_view one_by_one = "one-by-one";  // without lanes

    static constexpr int order = 1;
    static constexpr int max_states = 1024;  // all states that (memory, pcs) can be, reachable or not
    static constexpr int max_values = 8;

    virtual ~ExplicitSearch() = default;

    // Continue for about so many partial programs. Append the ids of the tests found to `ids`, each with a line end, unless
    // it is null. Return false when the search has ended.
    virtual bool advance(std::uint64_t steps, std::string* ids) = 0;

    // The tests found so far, in all orders.
    std::uint64_t found() const { return found_; }

    // How many the last cut has numbered so far.
    virtual std::uint64_t numbered() const = 0;

protected:
    std::uint64_t found_ = 0;
};

}  // namespace synth
