#include "verdicts/verdicts.hpp"

#include <string>

#include "work/faults.hpp"

namespace synth {

namespace {

constexpr int max_verdicts = 64;

}  // namespace

Judge::Judge(int threads, std::vector<Automaton> automata, const std::vector<Forms>& forms) : threads_(threads) {
    if (forms.size() != automata.size()) {
        throw InputFault("found forms for " + std::to_string(forms.size()) + " automata, expected " +
                         std::to_string(automata.size()));
    }
    for (const Automaton& automaton : automata) {
        if (automaton.threads == threads) continue;
        throw InputFault("found an automaton for " + std::to_string(automaton.threads) + " threads, expected " +
                         std::to_string(threads));
    }
    std::vector<Automaton> history;
    std::vector<VerdictBits> history_bits;
    int next = 0;
    const auto bit = [&](bool asked) {
        if (!asked) return std::uint64_t{0};
        if (next == max_verdicts) {
            throw LimitFault("found more than " + std::to_string(max_verdicts) + " verdicts asked for at once");
        }
        return std::uint64_t{1} << next++;
    };
    for (std::size_t k = 0; k < automata.size(); ++k) {
        VerdictBits bits{};
        bits.weak = bit(forms[k].weak);
        bits.strong = bit(forms[k].strong);
        all_ |= bits.weak | bits.strong;
        if (remembers_only_history(automata[k])) {
            history.push_back(automata[k]);
            history_bits.push_back(bits);
        } else {
            products_.emplace_back(std::move(automata[k]), bits);
        }
    }
    history_ = HistoryVerdicts::make(history, history_bits, threads);
    if (!history_) {
        for (std::size_t k = 0; k < history.size(); ++k) products_.emplace_back(std::move(history[k]), history_bits[k]);
    }
}

std::uint64_t Judge::passes(const Lts& lts) {
    if (lts.threads() != threads_) {
        throw InputFault("found " + std::to_string(lts.threads()) + " threads, expected " +
                         std::to_string(threads_));
    }
    if (lts.cyclic().empty()) return all_;
    std::uint64_t fails = history_ ? history_->fails(lts) : 0;
    for (ProductVerdicts& product : products_) fails |= product.fails(lts);
    return all_ & ~fails;
}

}  // namespace synth
