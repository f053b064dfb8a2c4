#include "verdicts/orbit_judge.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "work/faults.hpp"

namespace synth {

namespace {

constexpr std::uint32_t word_bits = 64;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The automaton for the threads of a system, whose model is told of them in an order. Its states are numbered as a search
// finds them, so that equal ones look equal.
Automaton in_order(const Automaton& automaton, const Orders::Order& order) {
    const int threads = automaton.threads;
    const auto places_of = [&](ThreadSet set) {
        ThreadSet found = 0;
        for (int place = 0; place < threads; ++place) found |= (set >> order[at(place)] & 1) << place;
        return found;
    };
    const auto threads_of = [&](ThreadSet places) {
        ThreadSet found = 0;
        for (int place = 0; place < threads; ++place) found |= (places >> place & 1) << order[at(place)];
        return found;
    };
    std::vector<int> place_of(at(threads));
    for (int place = 0; place < threads; ++place) place_of[order[at(place)]] = place;

    Automaton made{threads, {}, {}, {}};
    constexpr int unnumbered = -1;
    std::vector<int> number(at(automaton.states()), unnumbered), found{0};
    number[0] = 0;
    for (std::size_t q = 0; q < found.size(); ++q) {
        for (const auto& [from, to] : {std::pair(&automaton.steps, &made.steps), std::pair(&automaton.ends, &made.ends)}) {
            auto& row = to->emplace_back();
            for (int t = 0; t < threads; ++t) {
                const int next = (*from)[at(found[q])][at(place_of[at(t)])];
                if (number[at(next)] == unnumbered) {
                    number[at(next)] = static_cast<int>(found.size());
                    found.push_back(next);
                }
                row.push_back(number[at(next)]);
            }
        }
        auto& fair = made.fair.emplace_back();
        for (ThreadSet live = 0; live < ThreadSet{1} << threads; ++live) {
            fair.push_back(threads_of(automaton.fair[at(found[q])][places_of(live)]));
        }
    }
    return made;
}

}  // namespace

OrbitJudge::OrbitJudge(int threads, const std::vector<Automaton>& automata, const std::vector<Forms>& forms)
    : threads_(threads) {
    if (threads > Orders::max_threads) {
        throw LimitFault("found " + std::to_string(threads) + " threads, expected at most " +
                         std::to_string(Orders::max_threads));
    }
    static_cast<void>(Judge(threads, automata, forms));  // says what is wrong with them
    struct Word {
        std::vector<Automaton> automata;
        std::vector<Forms> forms;
        std::uint32_t bits = 0;
    };
    std::vector<Word> words(1);
    const Orders& orders = Orders::of(threads);
    sources_.resize(orders.size());
    using Tables = std::tuple<std::vector<std::vector<int>>, std::vector<std::vector<int>>, std::vector<std::vector<ThreadSet>>>;
    for (std::size_t k = 0; k < automata.size(); ++k) {
        std::map<Tables, Source> known;
        const std::uint32_t bits = static_cast<std::uint32_t>(forms[k].weak) + static_cast<std::uint32_t>(forms[k].strong);
        for (std::size_t order = 0; order < orders.size(); ++order) {
            Automaton made = in_order(automata[k], orders[order]);
            const auto [found, is_new] = known.try_emplace({made.steps, made.ends, made.fair});
            if (is_new) {
                if (words.back().bits + bits > word_bits) words.emplace_back();
                found->second = {static_cast<std::uint32_t>(words.size()) - 1, words.back().bits};
                words.back().automata.push_back(std::move(made));
                words.back().forms.push_back(forms[k]);
                words.back().bits += bits;
                bits_ += bits;
            }
            for (std::uint32_t bit = 0; bit < bits; ++bit) {
                sources_[order].push_back({found->second.word, found->second.bit + bit});
            }
        }
    }
    for (Word& word : words) judges_.emplace_back(threads, std::move(word.automata), word.forms);
    words_.resize(judges_.size());
}

const std::vector<std::uint64_t>& OrbitJudge::judge(const Lts& lts) {
    for (std::size_t k = 0; k < judges_.size(); ++k) words_[k] = judges_[k].passes(lts);
    return words_;
}

std::uint64_t OrbitJudge::passes(std::span<const std::uint64_t> words, std::size_t order) const {
    std::uint64_t mask = 0, bit = 1;
    for (const Source& source : sources_[order]) {
        if (words[source.word] >> source.bit & 1) mask |= bit;
        bit <<= 1;
    }
    return mask;
}

}  // namespace synth
