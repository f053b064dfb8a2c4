#include "verdicts/history_verdicts.hpp"

#include <bit>
#include <utility>

#include "work/work.hpp"

namespace synth {

namespace {

constexpr int max_threads = 6;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

std::unique_ptr<HistoryVerdicts> HistoryVerdicts::make(const std::vector<Automaton>& automata,
                                                       const std::vector<VerdictBits>& bits, int threads) {
    if (automata.empty() || threads > max_threads) return nullptr;
    const auto joint = side_by_side(automata, threads, ReachedWith::max_states);
    if (!joint) return nullptr;
    return std::unique_ptr<HistoryVerdicts>(new HistoryVerdicts(*joint, automata, bits, threads));
}

HistoryVerdicts::HistoryVerdicts(JointAutomaton made, const std::vector<Automaton>& automata,
                                 const std::vector<VerdictBits>& bits, int threads)
    : joint_(std::move(made)),
      single_(joint_.states(), threads),
      weak_(joint_.states(), threads),
      strong_(joint_.states(), threads),
      reached_(joint_.steps, joint_.ends, threads) {
    const JointAutomaton& joint = joint_;
    for (const auto& [weak, strong] : bits) all_ |= weak | strong;
    const ThreadSet sets = ThreadSet{1} << threads;
    for (int q = 0; q < joint.states(); ++q) {
        ThreadSet stay = 0;
        for (int t = 0; t < threads; ++t) stay |= ThreadSet{joint.steps[index(q)][index(t)] == q} << t;
        for (std::size_t k = 0; k < automata.size(); ++k) {
            const auto& fair_sets = automata[k].fair[index(joint.state_of[index(q)][k])];
            for (ThreadSet live = 0; live < sets; ++live) {
                const ThreadSet fair = fair_sets[live];
                for (ThreadSet some = 1; some < sets; ++some) {
                    const ThreadSet staying = some & stay;
                    if (staying != 0 && (fair & ~staying) == 0) {
                        single_.at(q, live, some) |= bits[k].weak | bits[k].strong;
                    }
                    if (staying != some) continue;
                    if ((fair & ~some) == 0) {
                        weak_.at(q, live, some) |= bits[k].weak | (fair == 0 ? bits[k].strong : 0);
                    }
                    if (fair == some) strong_.at(q, live, some) |= bits[k].strong;
                }
            }
        }
    }
}

std::uint64_t HistoryVerdicts::fails(const Lts& lts) {
    reached_.push(lts);
    std::uint64_t failed = 0;
    for (const int c : lts.cyclic()) {
        const auto members = lts.members(c);
        const int state = members.front();
        if (members.size() == 1) {
            failed |= single_.of(reached_[state], lts.live(state), lts.inside(state));
        } else {
            failed |= judge_component(lts, c, failed);
        }
        if (failed == all_) break;
    }
    return failed;
}

std::uint64_t HistoryVerdicts::judge_component(const Lts& lts, int component,
                                               std::uint64_t already) {
    const auto members = lts.members(component);
    const ThreadSet live = lts.live(members.front());
    States everywhere = 0;
    ThreadSet stepping = 0;
    for (const int state : members) {
        everywhere |= reached_[state];
        stepping |= lts.inside(state);
    }
    std::uint64_t failed = already;
    for (ThreadSet some = stepping; some != 0; some = (some - 1) & stepping) {
        if (weak_.of(everywhere, live, some) & ~failed) {
            const States states = some == stepping ? everywhere : recurrent_by(lts, component, some);
            failed |= weak_.of(states, live, some);
        }
        if (strong_.of(everywhere, live, some) & ~failed) {
            failed |= strong_.of(closed_under(lts, component, some), live, some);
        }
    }
    return failed;
}

// The automaton states with which some set is reached that is strongly connected by steps of exactly these threads.
HistoryVerdicts::States HistoryVerdicts::recurrent_by(const Lts& lts, int component,
                                                      ThreadSet stepping) {
    const auto members = lts.members(component);
    place_.resize(index(lts.states()));
    for (std::size_t k = 0; k < members.size(); ++k) place_[index(members[k])] = static_cast<int>(k);
    const auto labels = [&](int place) { return lts.inside(members[index(place)]) & stepping; };
    const auto successor = [&](int place, int t) { return place_[index(lts.successor(members[index(place)], t))]; };
    inner_.find(static_cast<int>(members.size()), labels, successor);
    States states = 0;
    for (int c = 0; c < inner_.count(); ++c) {
        ThreadSet inside = 0;
        States reached = 0;
        for (const int place : inner_.members(c)) {
            reached |= reached_[members[index(place)]];
            for (ThreadSet left = labels(place); left != 0; left &= left - 1) {
                const int t = std::countr_zero(left);
                inside |= ThreadSet{inner_.of(successor(place, t)) == c} << t;
            }
        }
        if (inside == stepping) states |= reached;
    }
    return states;
}

// The automaton states of the greatest set of states of the component that no step of a fair thread leaves.
HistoryVerdicts::States HistoryVerdicts::closed_under(const Lts& lts, int component,
                                                      ThreadSet fair) {
    const auto members = lts.members(component);
    is_in_.assign(index(lts.states()), 0);
    for (const int state : members) is_in_[index(state)] = 1;
    for (bool shrinks = true; shrinks;) {
        shrinks = false;
        worked(members.size());
        for (const int state : members) {
            for (ThreadSet left = is_in_[index(state)] ? fair : 0; left != 0; left &= left - 1) {
                if (is_in_[index(lts.successor(state, std::countr_zero(left)))]) continue;
                is_in_[index(state)] = 0;
                shrinks = true;
                break;
            }
        }
    }
    States states = 0;
    for (const int state : members) {
        if (is_in_[index(state)]) states |= reached_[state];
    }
    return states;
}

}  // namespace synth
