#include "transitions/behaviour.hpp"

#include <algorithm>
#include <bit>

#include "work/work.hpp"

namespace synth {

namespace {

constexpr int none = -1;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Of a row: a class or live set, and a successor by each thread.
std::size_t width_of(const Lts& lts) { return at(lts.threads()) + 1; }

}  // namespace

// `step` writes the live set and then a step for each of its threads, in the order that the form shall have.
template <class Step>
void Behaviour::write(const Lts& lts, Step step) {
    number_.assign(first_.size(), none);
    order_.clear();
    const auto numbered = [&](int state) {
        int& number = number_[at(class_[at(state)])];
        if (number == none) {
            number = static_cast<int>(order_.size());
            order_.push_back(state);
        }
        return static_cast<std::uint32_t>(number);
    };
    numbered(0);
    form_ = {static_cast<std::uint32_t>(lts.threads()), static_cast<std::uint32_t>(first_.size())};
    for (std::size_t k = 0; k < order_.size(); ++k) {
        const int state = order_[k];
        step(lts.live(state), [&](ThreadSet live) { form_.push_back(live); },
             [&](int thread) { form_.push_back(numbered(lts.successor(state, thread))); });
    }
}

const std::vector<std::uint32_t>& Behaviour::of(const Lts& lts) {
    find_classes(lts);
    write(lts, [](ThreadSet live, const auto& write_live, const auto& write_step) {
        write_live(live);
        for (; live != 0; live &= live - 1) write_step(std::countr_zero(live));
    });
    return form_;
}

const std::vector<std::uint32_t>& Behaviour::in_order(const Lts& lts, const Orders::Order& order) {
    write(lts, [&](ThreadSet live, const auto& write_live, const auto& write_step) {
        ThreadSet places = 0;
        for (int place = 0; place < lts.threads(); ++place) places |= (live >> order[at(place)] & 1) << place;
        write_live(places);
        for (; places != 0; places &= places - 1) write_step(order[at(std::countr_zero(places))]);
    });
    return form_;
}

void Behaviour::find_classes(const Lts& lts) {
    const int states = lts.states();
    const std::size_t width = width_of(lts);
    rows_.assign(at(states) * width, none);
    for (int state = 0; state < states; ++state) rows_[at(state) * width] = static_cast<int>(lts.live(state));
    slots_.resize(std::bit_ceil(2 * at(states)));
    class_.resize(at(states));
    for (int found = 0;;) {
        const int before = found;
        worked(at(states) * width);
        found = classes_by_rows(lts);
        if (found == before) return;
        for (int state = 0; state < states; ++state) {
            int* const row = &rows_[at(state) * width];
            row[0] = class_[at(state)];
            for (ThreadSet left = lts.live(state); left != 0; left &= left - 1) {
                const int t = std::countr_zero(left);
                row[t + 1] = class_[at(lts.successor(state, t))];
            }
        }
    }
}

// Give equal rows one class each; returns how many there are.
int Behaviour::classes_by_rows(const Lts& lts) {
    const std::size_t width = width_of(lts);
    std::ranges::fill(slots_, none);
    first_.clear();
    const std::size_t mask = slots_.size() - 1;
    for (int state = 0; state < lts.states(); ++state) {
        const int* const row = &rows_[at(state) * width];
        std::uint64_t hash = 0;
        for (std::size_t k = 0; k < width; ++k) {
            hash = (hash ^ static_cast<std::uint32_t>(row[k])) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 32;
        }
        std::size_t slot = hash & mask;
        while (slots_[slot] != none && !std::equal(row, row + width, &rows_[at(first_[at(slots_[slot])]) * width])) {
            slot = (slot + 1) & mask;
        }
        if (slots_[slot] == none) {
            slots_[slot] = static_cast<int>(first_.size());
            first_.push_back(state);
        }
        class_[at(state)] = slots_[slot];
    }
    return static_cast<int>(first_.size());
}

}  // namespace synth
