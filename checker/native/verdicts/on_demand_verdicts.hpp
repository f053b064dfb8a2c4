// Verdicts of systems with many threads. The tables of an automaton would be too large for these, because a row has an
// entry for each set of threads. Here the automaton is asked only for what the system reaches, and only once.
//
// The reached part of the product is found with a hash map, and then judged as `ProductVerdicts` does, component by
// component of the LTS.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "transitions/lts.hpp"
#include "verdicts/product_part.hpp"

namespace synth {

// A model that computes entries when asked. States are numbers from 0, which is the start.
class AutomatonOnDemand {
public:
    AutomatonOnDemand() = default;
    AutomatonOnDemand(const AutomatonOnDemand&) = delete;
    AutomatonOnDemand& operator=(const AutomatonOnDemand&) = delete;
    virtual ~AutomatonOnDemand() = default;

    // The state after a step of a thread, which is then live or has ended with it.
    virtual std::uint32_t after(std::uint32_t state, int thread, bool ends) = 0;
    virtual ThreadSet fair(std::uint32_t state, ThreadSet live) = 0;
};

class OnDemandVerdicts {
public:
    static constexpr std::size_t max_nodes = std::size_t{1} << 22;

    explicit OnDemandVerdicts(AutomatonOnDemand& automaton) : automaton_(automaton) {}

    // Throws LimitFault if the product has more than max_nodes states.
    Failures fails(const Lts& lts);

private:
    struct Node {
        int state;
        std::uint32_t q;
    };

    void reach(const Lts& lts);
    void build_over(const Lts& lts, const std::vector<int>& nodes);
    std::uint32_t after(std::uint32_t q, int thread, bool ends);
    static std::uint64_t key(int state, std::uint32_t q) { return static_cast<std::uint64_t>(state) << 32 | q; }

    AutomatonOnDemand& automaton_;
    std::unordered_map<std::uint64_t, std::uint32_t> after_;  // what was asked: of (thread and whether it ends, q)
    std::vector<Node> nodes_;
    std::unordered_map<std::uint64_t, int> number_;
    std::vector<int> place_;  // of a node in its part
    ProductPart part_;
};

}  // namespace synth
