// Writes out tests: the normal form of a program in each of the orders of its threads.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "program/id_layout.hpp"
#include "program/program.hpp"
#include "search/layout.hpp"

namespace synth {

class Writer {
public:
    Writer(const Layout& layout, std::vector<std::vector<int>> orders) : layout_(layout), orders_(std::move(orders)) {
        for (const Layout::Place& place : layout.places) {
            if (place.pc == 0) first_.push_back(static_cast<int>(&place - layout.places.data()));
        }
        first_.push_back(layout.size());
    }

    std::size_t orders() const { return orders_.size(); }

    void write(const std::vector<Instruction>& code, std::string& ids) {
        for (const auto& order : orders_) {
            locations_.assign(at(layout_.locations), undecided);
            values_.assign(at(layout_.values), undecided);
            values_[0] = 0;
            int locations = 0, values = 1;
            const auto named = [](std::vector<int>& names, int& next, int original) {
                int& name = names[at(original)];
                if (name == undecided) name = next++;
                return name;
            };
            bool first = true;
            for (const int thread : order) {
                if (!first) ids += id_layout::between_threads;
                first = false;
                for (int i = first_[at(thread)]; i < first_[at(thread) + 1]; ++i) {
                    const Instruction& instruction = code[at(i)];
                    const int loc = named(locations_, locations, instruction.loc);
                    const int check = named(values_, values, instruction.check);  // before exch: the order of first use
                    const int exch = instruction.writes() ? named(values_, values, instruction.exch) : no_exchange;
                    id_layout::append_instruction(ids, loc, check, exch != no_exchange, exch, instruction.target);
                }
            }
            ids += '\n';
        }
    }

private:
    const Layout& layout_;
    std::vector<std::vector<int>> orders_;
    std::vector<int> first_;
    std::vector<int> locations_, values_;
};

}  // namespace synth
