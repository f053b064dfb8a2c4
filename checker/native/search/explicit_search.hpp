// Every test of a shape, by execution: an explicit-state search that never writes a formula (definitions, sections 1 to 3).
//
// A shape says which location each instruction uses. Nothing else of a program is decided before an execution needs it:
// an instruction is an edge for each value it can read, and when the first reached state stands at an undecided edge the
// search tries every way to decide it. So programs that differ only in what no execution sees are one leaf, and every
// test is in exactly one. A partial program dies as soon as some state can reach neither the end nor an undecided edge
// (closures.hpp), and where no way to go on can satisfy `inter-thread-influence`.
//
// Values not named yet are interchangeable, so of those only the least is tried: what is fixed by the fields decided so
// far fixes every named value, hence each program is met under exactly one naming of its values, in the order in which the
// search comes upon them. Its normal form names them in program order instead.
//
// A search can be cut into parts that are searched each by itself, wherever and whenever. At a depth, counted in decisions,
// the partial programs, and the tests found before it, are numbered in the order in which the search comes upon them; a part
// goes on with those whose number leaves its remainder. So each test is in exactly one part, a part taken at random is an
// unbiased sample of the whole, and what lies above the cut, which is little, is searched by each. A part can be cut again
// at a greater depth.
//
// Parts are written down and searched by later releases: who changes the order of the search, or what it drops, raises
// `order`.
//
// It shares neither rules nor reachability with the rest of the core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace synth {

// Per thread the location of each instruction.
using Shape = std::vector<std::vector<int>>;

// Which of the rules that can be dropped are in force.
struct RulesInForce {
    bool inter_thread_influence = true;
    bool all_branches = true;
    bool effective_stores = true;
    bool meaningful_comparisons = true;
};

// One of the parts into which a search is cut: of what is numbered at a depth, what leaves the remainder `index` modulo `of`.
struct Cut {
    int depth;
    std::uint64_t index, of;
};

class ExplicitSearch {
public:
    // The search of a shape with at most so many values, or the part of it that several cuts leave, each of which is below
    // the one before. Each test is written once for each of `orders`, which say which thread stands at each place.
    // Throws LimitFault where there are more states or values than the search has room for, InputFault where an
    // order is no permutation or a cut is none.
    static std::unique_ptr<ExplicitSearch> make(const Shape& shape, int values, RulesInForce rules,
                                                std::vector<std::vector<int>> orders, const std::vector<Cut>& cuts = {});

    static constexpr int order = 1;
    static constexpr int max_states = 1024;  // all states that (memory, pcs) can be, reachable or not
    static constexpr int max_values = 8;

    virtual ~ExplicitSearch() = default;

    // Go on for about so many partial programs, appending the ids of the tests found to `ids`, each ended by a line end,
    // unless it is null. False when the search has come to its end.
    virtual bool advance(std::uint64_t steps, std::string* ids) = 0;

    // The tests found so far, in all orders.
    std::uint64_t found() const { return found_; }

    // How many the last cut has numbered so far.
    virtual std::uint64_t numbered() const = 0;

protected:
    std::uint64_t found_ = 0;
};

}  // namespace synth
