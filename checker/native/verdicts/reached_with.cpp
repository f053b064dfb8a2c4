#include "verdicts/reached_with.hpp"

#include <algorithm>
#include <bit>

#include "work/work.hpp"

namespace synth {

ReachedWith::ReachedWith(const std::vector<std::vector<int>>& steps, const std::vector<std::vector<int>>& ends,
                         int threads) {
    const int states = static_cast<int>(steps.size());
    bytes_ = (states + 7) / 8;
    for (int t = 0; t < threads; ++t) {
        for (const auto* successor : {&steps, &ends}) {
            for (int byte = 0; byte < bytes_; ++byte) {
                for (int value = 0; value < byte_values; ++value) {
                    States found = 0;
                    for (int bit = 0; bit < 8 && byte * 8 + bit < states; ++bit) {
                        const int after = (*successor)[static_cast<std::size_t>(byte * 8 + bit)][static_cast<std::size_t>(t)];
                        if (value >> bit & 1) found |= States{1} << after;
                    }
                    tables_.push_back(found);
                }
            }
        }
    }
}

void ReachedWith::push(const Lts& lts) {
    if (reached_.size() < static_cast<std::size_t>(lts.states())) reached_.resize(static_cast<std::size_t>(lts.states()));
    States* const reached = reached_.data();
    std::fill_n(reached, lts.states(), 0);
    reached[0] = 1;
    for (int c = lts.components() - 1; c >= 0; --c) {
        const auto members = lts.members(c);
        if (members.size() > 1 || lts.inside(members.front()) != 0) push_inside(lts, c);
        for (const int state : members) {
            const States here = reached[state];
            const ThreadSet live = lts.live(state);
            const int* const successors = lts.successors(state);
            for (ThreadSet left = live & ~lts.inside(state); left != 0; left &= left - 1) {
                const int t = std::countr_zero(left);
                const int to = successors[t];
                reached[to] |= after(here, t, lts.live(to) != live);
            }
        }
    }
}

// Again and again, until nothing is added.
void ReachedWith::push_inside(const Lts& lts, int component) {
    States* const reached = reached_.data();
    const auto members = lts.members(component);
    for (bool grows = true; grows;) {
        grows = false;
        worked(members.size());
        for (const int state : members) {
            const int* const successors = lts.successors(state);
            for (ThreadSet left = lts.inside(state); left != 0; left &= left - 1) {
                const int t = std::countr_zero(left);
                States& there = reached[successors[t]];
                const States pushed = there | after(reached[state], t, false);
                grows = grows || pushed != there;
                there = pushed;
            }
        }
    }
}

}  // namespace synth
