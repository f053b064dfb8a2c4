#include "transitions/lts.hpp"

#include "work/work.hpp"

namespace synth {

void Lts::make_room(int states) {
    if (at(states) * at(threads_) > successors_.size()) successors_.resize(at(states) * at(threads_));
    if (states <= room_) return;
    room_ = states;
    for (auto* over_states : {&component_, &members_, &stack_}) over_states->resize(at(states));
    for (auto* over_states : {&live_, &inside_}) over_states->resize(at(states));
    first_.resize(at(states) + 1);
    calls_.resize(at(states));
}

// The component of several states, the first found of which is `root`.
void Lts::finish_component(int root, int& stacked) {
    int end = first_[at(components_)];
    int member;
    do {
        member = stack_[at(--stacked)];
        component_[at(member)] = components_;
        members_[at(end++)] = member;
    } while (member != root);
    first_[at(components_) + 1] = end;
    for (const int state : members(components_)) {
        worked(1);
        ThreadSet inside = 0;
        for (ThreadSet left = live_[at(state)]; left != 0; left &= left - 1) {
            const int t = std::countr_zero(left);
            inside |= ThreadSet{component_[at(successor(state, t))] == components_} << t;
        }
        inside_[at(state)] = inside;
    }
    cyclic_.push_back(components_++);
}

}  // namespace synth
