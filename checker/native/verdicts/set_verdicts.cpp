#include "verdicts/set_verdicts.hpp"

#include <array>
#include <bit>

namespace synth {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The strongly connected component of a state of a set, by steps of some threads inside the set.
StateSet component_of(const SetLts& lts, StateSet state, StateSet set, ThreadSet stepping) {
    StateSet after = state, before = state, last = 0;
    while (last != after) {
        last = after;
        for (const SetEdge& edge : lts.edges()) {
            if ((stepping >> edge.thread & 1) != 0) after |= edge.after(after) & set;
        }
    }
    last = 0;
    while (last != before) {
        last = before;
        for (const SetEdge& edge : lts.edges()) {
            if ((stepping >> edge.thread & 1) != 0) before |= edge.before(before) & after;
        }
    }
    return before;
}

// The threads that have a step inside a set.
ThreadSet inside(const SetLts& lts, StateSet set) {
    ThreadSet found = 0;
    for (int t = 0; t < lts.threads; ++t) found |= ThreadSet{(lts.loops[at(t)] & set) != 0} << t;
    for (const SetEdge& edge : lts.edges()) found |= ThreadSet{(edge.after(set) & set) != 0} << edge.thread;
    return found;
}

// The greatest part of a set that no step of a fair thread leaves.
StateSet closed_under(const SetLts& lts, StateSet set, ThreadSet fair) {
    for (StateSet last = 0; last != set;) {
        last = set;
        for (int t = 0; t < lts.threads; ++t) {
            if ((fair >> t & 1) == 0) continue;
            StateSet staying = lts.loops[at(t)];
            for (const SetEdge& edge : lts.edges()) staying |= edge.thread == t ? edge.before(set) : 0;
            set &= staying;
        }
    }
    return set;
}

}  // namespace

SetVerdicts::SetVerdicts(const HistoryVerdicts& history, int threads)
    : history_(&history), threads_(threads), reached_(at(history.joint().states())) {
    const JointAutomaton& joint = history.joint();
    for (std::size_t q = 0; q < reached_.size(); ++q) {
        for (std::size_t t = 0; t < at(threads); ++t) {
            next_.push_back(at(joint.steps[q][t]));
            next_.push_back(at(joint.ends[q][t]));
        }
    }
}

std::uint64_t SetVerdicts::fails(const SetLts& lts) {
    push(lts);
    std::uint64_t failed = 0;
    const ThreadSet all = (ThreadSet{1} << threads_) - 1;
    for (ThreadSet live = all; live > 0; --live) failed |= judge_loops(lts, live);
    for (ThreadSet live = all; live > 0; --live) {
        for (StateSet left = lts.cyclic & lts.with_live[live]; left != 0 && failed != history_->all();) {
            const StateSet component = component_of(lts, left & -left, left, live);
            left &= ~component;
            failed = judge_component(lts, component, live, failed);
        }
    }
    return failed;
}

// Find what is reached with each state of the automata.
void SetVerdicts::push(const SetLts& lts) {
    for (StateSet& reached : reached_) reached = 0;
    reached_[0] = 1;
    std::array<SetEdge, SetLts::max_edges> staying;
    for (States left = 1; left != 0;) {
        const std::size_t q = at(std::countr_zero(left));
        left &= left - 1;
        const std::size_t* const next = &next_[q * 2 * at(threads_)];
        const auto after = [next](const SetEdge& edge) { return next[2 * edge.thread + edge.ends]; };
        std::size_t count = 0;
        for (const SetEdge& edge : lts.edges()) {
            staying[count] = edge;
            count += after(edge) == q;
        }
        StateSet here = reached_[q];
        for (StateSet last = 0; last != here;) {
            last = here;
            for (std::size_t k = 0; k < count; ++k) here |= staying[k].after(here);
        }
        reached_[q] = here;
        const auto send = [&](std::size_t to, StateSet set) {
            left |= States{(set & ~reached_[to]) != 0} << to;
            reached_[to] |= set;
        };
        for (const SetEdge& edge : lts.edges()) {
            if (after(edge) != q) send(after(edge), edge.after(here));
        }
        for (int t = 0; t < threads_; ++t) send(next[2 * t], here & lts.loops[at(t)]);
    }
}

// The states of the automata with which some of these states are reached.
SetVerdicts::States SetVerdicts::with(StateSet set) const {
    States found = 0;
    for (std::size_t q = 0; q < reached_.size(); ++q) found |= States{(reached_[q] & set) != 0} << q;
    return found;
}

// What is failed by states from which some threads step back to them.
std::uint64_t SetVerdicts::judge_loops(const SetLts& lts, ThreadSet live) const {
    StateSet left = 0;
    for (int t = 0; t < threads_; ++t) left |= lts.loops[at(t)];
    left &= lts.reached & lts.with_live[live];
    std::uint64_t failed = 0;
    while (left != 0) {
        const StateSet one = left & -left;
        StateSet same = left;  // those from which the same threads do so
        ThreadSet some = 0;
        for (int t = 0; t < threads_; ++t) {
            const bool loops = (lts.loops[at(t)] & one) != 0;
            some |= ThreadSet{loops} << t;
            same &= loops ? lts.loops[at(t)] : ~lts.loops[at(t)];
        }
        left &= ~same;
        failed |= history_->single().of(with(same), live, some);
    }
    return failed;
}

// As `HistoryVerdicts::judge_component`.
std::uint64_t SetVerdicts::judge_component(const SetLts& lts, StateSet component, ThreadSet live,
                                           std::uint64_t failed) const {
    const States everywhere = with(component);
    const ThreadSet stepping = inside(lts, component);
    for (ThreadSet some = stepping; some != 0; some = (some - 1) & stepping) {
        if (history_->weak().of(everywhere, live, some) & ~failed) {
            const States states = some == stepping ? everywhere : recurrent_by(lts, component, some);
            failed |= history_->weak().of(states, live, some);
        }
        if (history_->strong().of(everywhere, live, some) & ~failed) {
            failed |= history_->strong().of(with(closed_under(lts, component, some)), live, some);
        }
    }
    return failed;
}

// The automaton states with which some set is reached that is strongly connected by steps of exactly these threads.
SetVerdicts::States SetVerdicts::recurrent_by(const SetLts& lts, StateSet component, ThreadSet stepping) const {
    States states = 0;
    for (StateSet left = component; left != 0;) {
        const StateSet inner = component_of(lts, left & -left, left, stepping);
        left &= ~inner;
        if ((inside(lts, inner) & stepping) == stepping) states |= with(inner);
    }
    return states;
}

}  // namespace synth
