// Verdicts: is a transition system guaranteed to end under a model, in its weak and its strong form (definitions, section 5)?
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "transitions/lts.hpp"
#include "verdicts/automaton.hpp"
#include "verdicts/history_verdicts.hpp"
#include "verdicts/product_verdicts.hpp"

namespace synth {

// Which forms of a model are asked for.
struct Forms {
    bool weak;
    bool strong;
};

// Judges transition systems of a fixed number of threads under a fixed list of models.
class Judge {
public:
    // Throws InputFault unless all automata are for so many threads and each has its forms, LimitFault for more than 64
    // verdicts.
    Judge(int threads, std::vector<Automaton> automata, const std::vector<Forms>& forms);

    int threads() const { return threads_; }

    // Bit k is set where the system passes the k-th verdict: the asked forms of the first model, then the second, ...
    // Throws InputFault where the system has another number of threads.
    std::uint64_t passes(const Lts& lts);

private:
    int threads_;
    std::uint64_t all_ = 0;
    std::unique_ptr<HistoryVerdicts> history_;
    std::vector<ProductVerdicts> products_;
};

}  // namespace synth
