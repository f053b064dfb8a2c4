#include "search/lane_search.hpp"

#include <algorithm>
#include <cstring>

#include "program/id_layout.hpp"

namespace synth {

LaneSearch::LaneSearch(const Shape& shape, const std::vector<std::vector<int>>& orders, lanes::Examine examine)
    : tables_(shape), examine_(examine) {
    // With the stack sorted by depth, each depth holds at most what one batch has left there.
    const std::size_t depths = static_cast<std::size_t>(tables_.tables().edges) + 1;
    work_.partial = stack(most_taken + depths * lanes::max_batch * std::max<std::size_t>(1, tables_.most_ways()));
    work_.whole = stack(2 * lanes::max_batch);
    work_.tests = memory_.emplace_back(std::make_unique_for_overwrite<lanes::Word[]>(tests_at_once)).get();
    work_.room = tests_at_once;

    std::vector<int> first(shape.size() + 1);
    int locations = 0;
    for (std::size_t t = 0; t < shape.size(); ++t) {
        first[t + 1] = first[t] + static_cast<int>(shape[t].size());
        for (const int loc : shape[t]) locations = std::max(locations, loc + 1);
    }
    for (int i = 0; i < first.back(); ++i) {
        for (int name = 0; name < locations; ++name) {
            auto& texts = texts_.emplace_back(lanes::ShapeTables::codes);
            for (lanes::Word code = lanes::seen_falling_through + 1; code < lanes::ShapeTables::codes; ++code) {
                const Instruction made = tables_.instruction(i, code);
                std::string text;
                id_layout::append_instruction(text, name, made.check, made.writes(), made.exch, made.target);
                static_assert(sizeof(std::uint32_t) == id_layout::width);
                std::memcpy(&texts[code], text.data(), id_layout::width);
            }
        }
    }
    for (const auto& order : orders) {
        auto& line = lines_.emplace_back();
        std::vector<int> names(static_cast<std::size_t>(locations), undecided);
        int named = 0;
        for (const int thread : order) {
            const auto& locs = shape[static_cast<std::size_t>(thread)];
            for (std::size_t pc = 0; pc < locs.size(); ++pc) {
                int& name = names[static_cast<std::size_t>(locs[pc])];
                if (name == undecided) name = named++;
                const int i = first[static_cast<std::size_t>(thread)] + static_cast<int>(pc);
                line.push_back({i, texts_[static_cast<std::size_t>(i * locations + name)].data(), pc + 1 == locs.size()});
            }
        }
    }
    line_size_ = static_cast<std::size_t>(first.back()) * id_layout::width + shape.size();
}

lanes::Stack LaneSearch::stack(std::size_t capacity) {
    const auto field = [&] { return memory_.emplace_back(std::make_unique<lanes::Word[]>(capacity + lanes::max_batch)).get(); };
    lanes::Stack made{};
    for (int w = 0; w < tables_.tables().words; ++w) made.reached[w] = field();
    for (lanes::Word*& shifts : made.shifts) shifts = field();
    made.code = field();
    made.masks = field();
    return made;
}

void LaneSearch::take(const std::vector<Decision>& decisions) {
    const lanes::Partial partial = tables_.after(decisions);
    lanes::Stack& stack = work_.partial;
    for (int w = 0; w < tables_.tables().words; ++w) stack.reached[w][stack.size] = w == 0 ? 1 : 0;  // the start
    for (int s = 0; s < lanes::shift_words; ++s) stack.shifts[s][stack.size] = partial.shifts[s];
    stack.code[stack.size] = partial.code;
    stack.masks[stack.size++] = partial.masks;
}

std::uint64_t LaneSearch::advance(std::uint64_t steps, std::string* ids, std::uint64_t& found) {
    std::uint64_t done = 0;
    while (done < steps && !is_empty()) {
        done += examine_(tables_.tables(), work_, steps - done);
        found += work_.found * lines_.size();
        if (ids != nullptr) write_tests(*ids);
        work_.found = 0;
    }
    return done;
}

void LaneSearch::write_tests(std::string& ids) const {
    const std::size_t before = ids.size();
    ids.resize(before + work_.found * lines_.size() * line_size_);
    char* to = ids.data() + before;
    for (std::size_t k = 0; k < work_.found; ++k) {
        const lanes::Word test = work_.tests[k];
        for (const auto& line : lines_) {
            for (const Column& column : line) {
                const lanes::Word code = test >> (lanes::code_bits * column.instruction) & lanes::code_mask;
                std::memcpy(to, &column.texts[code], id_layout::width);
                to += id_layout::width;
                if (column.ends_thread) *to++ = id_layout::between_threads;
            }
            to[-1] = '\n';
        }
    }
}

}  // namespace synth
