#include "launches/thread_steps.hpp"

#include <algorithm>

namespace synth {

void ThreadSteps::learn(Number local) {
    Described found = interpreter_.describe(local);
    found.local.touched = sets_.number(found.touched);
    if (local >= locals_.size()) {
        locals_.resize(local + 1);
        is_known_.resize(local + 1);
    }
    locals_[local] = found.local;
    is_known_[local] = true;
    meets_in_grid_ |= found.local.scope == Scope::grid;
    meets_in_subgroup_ |= found.local.scope == Scope::subgroup;
}

// Have a step interpreted, and keep it.
Number ThreadSteps::asked(Number local) {
    Taken taken = interpreter_.take(local);
    bool were_constant = false;
    for (const auto& [number, value] : taken.writes) {
        Element& element = elements_[number];
        if (element.column != no_number) continue;
        were_constant |= element.is_read_as_constant;
        std::vector<Number>& columns = columns_[static_cast<std::size_t>(element.group + 1)];
        element.column = static_cast<Number>(columns.size());
        columns.push_back(element.initial);
    }
    if (were_constant) {  // some trees lack nodes for what is written now
        std::ranges::fill(roots_, no_number);
        trees_.clear();
        ++forgotten_;
    }
    DecisionTrees::Found found;
    for (const auto& [number, value] : taken.reads) {
        if (elements_[number].column == no_number) {
            elements_[number].is_read_as_constant = true;
        } else {
            found.emplace_back(number, value);
        }
    }
    const auto leaf = static_cast<Number>(leaves_.size());
    if (local >= roots_.size()) roots_.resize(local + 1, no_number);
    trees_.insert(roots_[local], found, leaf);
    leaves_.push_back({taken.after, taken.held, sets_.number(taken.touched), std::move(taken.writes)});
    return leaf;
}

}  // namespace synth
