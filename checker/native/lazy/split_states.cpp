#include "lazy/split_states.hpp"

namespace synth {

SplitStates::SplitStates(const std::vector<int>& sizes, int locations, int values)
    : sizes_(sizes), locations_(locations), values_(values) {
    std::int64_t weight = 1;
    const auto next = [&](int base) {
        const std::int64_t digit = weight;
        weight *= base;
        if (weight > max_states) {
            throw LimitFault("this split has too many states, expected at most " + std::to_string(max_states));
        }
        return static_cast<int>(digit);
    };
    for (int loc = 0; loc < locations; ++loc) weights_.push_back(next(values));
    memories_ = static_cast<int>(weight);
    std::vector<int> first;
    for (int thread = 0; thread < threads(); ++thread) {
        first.push_back(static_cast<int>(places_.size()));
        for (int pc = 0; pc < sizes[at(thread)]; ++pc) places_.push_back({thread, pc, sizes[at(thread)]});
        strides_.push_back(next(sizes[at(thread)] + 1));
    }
    if (places_.size() > max_places) {
        throw LimitFault("found " + std::to_string(places_.size()) + " instructions, expected at most " +
                         std::to_string(max_places));
    }
    count_ = static_cast<int>(weight);
    place_of_.reserve(at(count_) * sizes.size());
    for (int state = 0; state < count_; ++state) {
        bool ended = true;
        for (int thread = 0; thread < threads(); ++thread) {
            const int pc = state / strides_[at(thread)] % (size(thread) + 1);
            place_of_.push_back(pc == size(thread) ? -1 : first[at(thread)] + pc);
            ended = ended && pc == size(thread);
        }
        terminated_.push_back(ended);
    }
}

void SplitStates::check(const Program& program) const {
    bool fits = program.threads() == threads();
    for (int thread = 0; fits && thread < threads(); ++thread) fits = program.size(thread) == size(thread);
    if (!fits || program.locations() > locations_ || program.values() > values_) {
        throw InputFault("this program belongs to another split");
    }
}

}  // namespace synth
