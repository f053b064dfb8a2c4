#include "launches/thread_steps.hpp"

#include <stdexcept>

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
}

// Have a step interpreted, and keep it.
Number ThreadSteps::asked(Number local) {
    Taken taken = interpreter_.take(local);
    bool is_global = false;
    bool were_constant = false;
    for (const auto& [number, value] : taken.writes) {
        Element& element = elements_[number];
        is_global |= element.group < 0;
        if (element.column != no_number) continue;
        were_constant |= element.is_read_as_constant;
        std::vector<Number>& columns = columns_[static_cast<std::size_t>(element.group + 1)];
        element.column = static_cast<Number>(columns.size());
        columns.push_back(element.initial);
    }
    if (were_constant) {  // some trees lack nodes for what is written now
        roots_.clear();
        nodes_.clear();
        branches_.clear();
    }
    const auto leaf = static_cast<Number>(leaves_.size());
    insert(local, taken, leaf | leaf_bit);
    leaves_.push_back({taken.after, sets_.number(taken.touched), std::move(taken.writes), is_global});
    return leaf;
}

void ThreadSteps::insert(Number local, const Taken& taken, Number leaf) {
    if (local >= roots_.size()) roots_.resize(local + 1, no_number);
    Number last = no_number;  // the node from which the next branch goes, and the value that leads there
    Number value_there = 0;
    Number node = roots_[local];
    const auto lead_to = [&](Number next) {
        if (last == no_number) {
            roots_[local] = next;
        } else if (nodes_[last].next == no_number) {
            nodes_[last].value = value_there;
            nodes_[last].next = next;
        } else {
            branches_[key(last, value_there)] = next;
        }
    };
    for (const auto& [number, value] : taken.reads) {
        Element& element = elements_[number];
        if (element.column == no_number) {
            element.is_read_as_constant = true;
            continue;
        }
        if (node == no_number) {
            node = static_cast<Number>(nodes_.size());
            lead_to(node);
            nodes_.push_back({number, 0, no_number});
        } else if (is_leaf(node) || nodes_[node].element != number) {
            throw std::logic_error("a step reads other elements than before");
        }
        last = node;
        value_there = value;
        if (nodes_[node].next == no_number) {
            node = no_number;
        } else if (nodes_[node].value == value) {
            node = nodes_[node].next;
        } else {
            const auto found = branches_.find(key(node, value));
            node = found == branches_.end() ? no_number : found->second;
        }
    }
    lead_to(leaf);
}

}  // namespace synth
