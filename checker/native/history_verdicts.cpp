#include "history_verdicts.hpp"

#include <bit>

namespace synth {

namespace {

constexpr int max_threads = 6;
constexpr int max_states = 64;
constexpr int byte_values = 256;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

bool HistoryVerdicts::can_judge(const std::vector<Automaton>& automata, int threads) {
    return !automata.empty() && threads <= max_threads && side_by_side(automata, threads).states() <= max_states;
}

HistoryVerdicts::HistoryVerdicts(const std::vector<Automaton>& automata, const std::vector<VerdictBits>& bits, int threads)
    : threads_(threads) {
    const JointAutomaton joint = side_by_side(automata, threads);
    bytes_ = (joint.states() + 7) / 8;
    for (const auto& [weak, strong] : bits) all_ |= weak | strong;

    step_.resize(index(threads * 2 * bytes_ * byte_values));
    for (int t = 0; t < threads; ++t) {
        for (const bool ends : {false, true}) {
            const auto& successor = ends ? joint.ends : joint.steps;
            for (int byte = 0; byte < bytes_; ++byte) {
                for (int value = 0; value < byte_values; ++value) {
                    States after = 0;
                    for (int bit = 0; bit < 8 && byte * 8 + bit < joint.states(); ++bit) {
                        if (value >> bit & 1) after |= States{1} << successor[index(byte * 8 + bit)][index(t)];
                    }
                    step_[index(((t * 2 + ends) * bytes_ + byte) * byte_values + value)] = after;
                }
            }
        }
    }

    const ThreadSet sets = ThreadSet{1} << threads;
    const std::size_t entries = index(joint.states()) << (2 * threads);
    single_.resize(entries);
    weak_.resize(entries);
    strong_.resize(entries);
    for (int q = 0; q < joint.states(); ++q) {
        ThreadSet stays = 0;
        for (int t = 0; t < threads; ++t) {
            if (joint.steps[index(q)][index(t)] == q) stays |= ThreadSet{1} << t;
        }
        for (std::size_t k = 0; k < automata.size(); ++k) {
            const auto& fair_sets = automata[k].fair[index(joint.state_of[index(q)][k])];
            for (ThreadSet live = 0; live < sets; ++live) {
                const ThreadSet fair = fair_sets[live];
                for (ThreadSet threads_stepping = 1; threads_stepping < sets; ++threads_stepping) {
                    const ThreadSet staying = threads_stepping & stays;
                    if (staying != 0 && (fair & ~staying) == 0) {
                        single_[at(q, live, threads_stepping)] |= bits[k].weak | bits[k].strong;
                    }
                    if (staying != threads_stepping) continue;
                    if ((fair & ~threads_stepping) == 0) {
                        weak_[at(q, live, threads_stepping)] |= bits[k].weak | (fair == 0 ? bits[k].strong : 0);
                    }
                    if (fair == threads_stepping) strong_[at(q, live, threads_stepping)] |= bits[k].strong;
                }
            }
        }
    }
}

HistoryVerdicts::States HistoryVerdicts::after_step(States states, int thread, bool ends) const {
    const States* table = &step_[index((thread * 2 + ends) * bytes_ * byte_values)];
    States after = 0;
    for (int byte = 0; byte < bytes_; ++byte, states >>= 8, table += byte_values) after |= table[states & 255];
    return after;
}

std::uint64_t HistoryVerdicts::fails(const Lts& lts, const Components& components) {
    reached_with_.assign(index(lts.states()), 0);
    reached_with_[0] = 1;
    std::uint64_t failed = 0;
    for (int c = components.count() - 1; c >= 0 && failed != all_; --c) {
        const auto members = components.members(c);
        if (members.size() == 1) {
            failed |= judge_single(lts, members.front());
        } else {
            push_inside(lts, components, c);
            for (const int state : members) {
                for (int t = 0; t < threads_; ++t) {
                    const int to = lts.successor(state, t);
                    if (to >= 0 && components.of(to) != c) push(lts, state, t, to);
                }
            }
            failed |= judge_component(lts, components, c, failed);
        }
    }
    return failed;
}

void HistoryVerdicts::push(const Lts& lts, int from, int thread, int to) {
    const bool ends = !(lts.live(to) >> thread & 1);
    reached_with_[index(to)] |= after_step(reached_with_[index(from)], thread, ends);
}

// A component of one state: its only recurrent set is the state itself, if it has self-loops.
std::uint64_t HistoryVerdicts::judge_single(const Lts& lts, int state) {
    ThreadSet loops = 0;
    for (int t = 0; t < threads_; ++t) {
        if (lts.successor(state, t) == state) loops |= ThreadSet{1} << t;
    }
    States& here = reached_with_[index(state)];
    if (loops != 0) {
        for (States before = 0; before != here;) {
            before = here;
            for (int t = 0; t < threads_; ++t) {
                if (loops >> t & 1) here |= after_step(here, t, false);
            }
        }
    }
    for (int t = 0; t < threads_; ++t) {
        const int to = lts.successor(state, t);
        if (to >= 0 && to != state) push(lts, state, t, to);
    }
    return loops == 0 ? 0 : collect(single_, here, lts.live(state), loops);
}

// Push automaton states around inside a component until nothing is added.
void HistoryVerdicts::push_inside(const Lts& lts, const Components& components, int component) {
    for (bool grows = true; grows;) {
        grows = false;
        for (const int state : components.members(component)) {
            for (int t = 0; t < threads_; ++t) {
                const int to = lts.successor(state, t);
                if (to < 0 || components.of(to) != component) continue;
                const States before = reached_with_[index(to)];
                push(lts, state, t, to);
                grows = grows || reached_with_[index(to)] != before;
            }
        }
    }
}

std::uint64_t HistoryVerdicts::collect(const std::vector<std::uint64_t>& table, States states, ThreadSet live,
                                       ThreadSet threads) const {
    std::uint64_t verdicts = 0;
    for (; states != 0; states &= states - 1) verdicts |= table[at(std::countr_zero(states), live, threads)];
    return verdicts;
}

std::uint64_t HistoryVerdicts::judge_component(const Lts& lts, const Components& components, int component,
                                               std::uint64_t already) {
    const auto members = components.members(component);
    const ThreadSet live = lts.live(members.front());
    States everywhere = 0;
    ThreadSet stepping = 0;
    for (const int state : members) {
        everywhere |= reached_with_[index(state)];
        for (int t = 0; t < threads_; ++t) {
            const int to = lts.successor(state, t);
            if (to >= 0 && components.of(to) == component) stepping |= ThreadSet{1} << t;
        }
    }
    std::uint64_t failed = already;
    for (ThreadSet some = stepping; some != 0; some = (some - 1) & stepping) {
        // Look for the sets themselves only where they could add a verdict.
        if (collect(weak_, everywhere, live, some) & ~failed) {
            const States states = some == stepping ? everywhere : recurrent_by(lts, components, component, some);
            failed |= collect(weak_, states, live, some);
        }
        if (collect(strong_, everywhere, live, some) & ~failed) {
            failed |= collect(strong_, closed_under(lts, components, component, some), live, some);
        }
    }
    return failed;
}

// The automaton states with which some set is reached that is strongly connected by steps of exactly these threads.
HistoryVerdicts::States HistoryVerdicts::recurrent_by(const Lts& lts, const Components& components, int component,
                                                      ThreadSet stepping) {
    const auto members = components.members(component);
    place_.resize(index(lts.states()));
    for (std::size_t k = 0; k < members.size(); ++k) place_[index(members[k])] = static_cast<int>(k);
    const auto successor = [&](int place, int t) {
        if (!(stepping >> t & 1)) return -1;
        const int to = lts.successor(members[index(place)], t);
        return to >= 0 && components.of(to) == component ? place_[index(to)] : -1;
    };
    inner_.find(static_cast<int>(members.size()), threads_, successor);
    States states = 0;
    for (int c = 0; c < inner_.count(); ++c) {
        ThreadSet inside = 0;
        States reached = 0;
        for (const int place : inner_.members(c)) {
            reached |= reached_with_[index(members[index(place)])];
            for (int t = 0; t < threads_; ++t) {
                const int to = successor(place, t);
                if (to >= 0 && inner_.of(to) == c) inside |= ThreadSet{1} << t;
            }
        }
        if (inside == stepping) states |= reached;
    }
    return states;
}

// The automaton states of the greatest set of states of the component that no step of a fair thread leaves.
HistoryVerdicts::States HistoryVerdicts::closed_under(const Lts& lts, const Components& components, int component,
                                                      ThreadSet fair) {
    const auto members = components.members(component);
    is_in_.assign(index(lts.states()), 0);
    for (const int state : members) is_in_[index(state)] = 1;
    for (bool shrinks = true; shrinks;) {
        shrinks = false;
        for (const int state : members) {
            if (!is_in_[index(state)]) continue;
            for (int t = 0; t < threads_; ++t) {
                if (!(fair >> t & 1) || is_in_[index(lts.successor(state, t))]) continue;
                is_in_[index(state)] = 0;
                shrinks = true;
                break;
            }
        }
    }
    States states = 0;
    for (const int state : members) {
        if (is_in_[index(state)]) states |= reached_with_[index(state)];
    }
    return states;
}

}  // namespace synth
