#include "program/program.hpp"

#include <algorithm>

#include "program/id_layout.hpp"
#include "work/faults.hpp"

namespace synth {

namespace {

[[noreturn]] void fail(std::string_view id, const std::string& why) { throw InputFault(why, id); }

std::int8_t digit(std::string_view id, std::size_t at) {
    const int number = id_layout::number(id[at]);
    if (number < 0) fail(id, "character " + std::to_string(at + 1) + ": expected a base-36 digit (0-9, a-z)");
    return static_cast<std::int8_t>(number);
}

}  // namespace

void Program::clear() {
    code_.clear();
    first_.assign(1, 0);
}

void Program::append_thread(std::span<const Instruction> thread) {
    code_.insert(code_.end(), thread.begin(), thread.end());
    first_.push_back(size());
}

void Program::read(std::string_view id) {
    clear();
    std::size_t at = 0;
    while (at < id.size()) {
        const std::size_t end = std::min(id.find(id_layout::between_threads, at), id.size());
        if (end == at || (end - at) % id_layout::width != 0) fail(id, "expected four digits for each instruction, and '-' between threads");
        const std::size_t count = (end - at) / id_layout::width;
        if (count > max_instructions) {
            throw LimitFault("thread: found " + std::to_string(count) + " instructions, expected at most " +
                                 std::to_string(max_instructions),
                             id);
        }
        for (int pc = 0; at < end; at += id_layout::width, ++pc) {
            const bool writes = id[at + id_layout::exch] != id_layout::no_exchange;
            const auto exch = writes ? digit(id, at + id_layout::exch) : static_cast<std::int8_t>(no_exchange);
            const Instruction instruction{digit(id, at + id_layout::loc), digit(id, at + id_layout::check), exch,
                                          digit(id, at + id_layout::target)};
            if (instruction.target > static_cast<int>(count)) {
                fail(id, "instruction " + std::to_string(pc) + ": found target " + std::to_string(instruction.target) + ", expected 0 to " +
                             std::to_string(count) + " (the end)");
            }
            code_.push_back(instruction);
        }
        first_.push_back(size());
        if (end + 1 == id.size()) fail(id, "expected an instruction after the last '-'");
        at = end + 1;
    }
}

std::string Program::id() const {
    std::string text;
    text.reserve(code_.size() * id_layout::width + first_.size());
    for (int t = 0; t < threads(); ++t) {
        if (t > 0) text += id_layout::between_threads;
        for (const Instruction& i : thread(t)) {
            id_layout::append_instruction(text, i.loc, i.check, i.writes(), i.exch, i.target);
        }
    }
    return text;
}

int Program::locations() const {
    int most = -1;
    for (const Instruction& i : code_) most = std::max(most, int{i.loc});
    return most + 1;
}

int Program::values() const {
    int most = 0;
    for (const Instruction& i : code_) most = std::max({most, int{i.check}, int{i.exch}});
    return most + 1;
}

}  // namespace synth
