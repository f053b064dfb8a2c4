// Verdicts: whether a transition system always ends under the weak and the strong form of a model (definitions, section 5).
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
    // Throws InputFault unless all automata are for this number of threads and each has its forms, and LimitFault if there
    // are more than 64 verdicts.
    Judge(int threads, std::vector<Automaton> automata, const std::vector<Forms>& forms);

    int threads() const { return threads_; }

    // Return a mask in which bit k is set if the system passes the k-th verdict. The verdicts are the requested forms of
    // the first model, then of the second, and so on. Throws InputFault if the system has another number of threads.
    std::uint64_t passes(const Lts& lts);

    // What decides all verdicts, if all models only remember history and the threads are few; otherwise null.
    const HistoryVerdicts* history() const { return products_.empty() ? history_.get() : nullptr; }

private:
    int threads_;
    std::uint64_t all_ = 0;
    std::unique_ptr<HistoryVerdicts> history_;
    std::vector<ProductVerdicts> products_;
};

}  // namespace synth
