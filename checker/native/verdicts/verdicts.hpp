// Verdicts: whether a transition system always ends under the weak and the strong form of a model (definitions, section 5).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "transitions/lts.hpp"
#include "transitions/set_lts.hpp"
#include "verdicts/automaton.hpp"
#include "verdicts/history_verdicts.hpp"
#include "verdicts/product_verdicts.hpp"
#include "verdicts/set_verdicts.hpp"

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

    // Whether all models only remember history, so that systems can be judged by sets of their states.
    bool takes_sets() const { return by_sets_.has_value(); }
    // The same mask of a system of this number of threads, if `takes_sets()`.
    std::uint64_t passes(const SetLts& lts) { return all_ & ~by_sets_->fails(lts); }

private:
    int threads_;
    std::uint64_t all_ = 0;
    std::unique_ptr<HistoryVerdicts> history_;
    std::vector<ProductVerdicts> products_;
    std::optional<SetVerdicts> by_sets_;
};

}  // namespace synth
