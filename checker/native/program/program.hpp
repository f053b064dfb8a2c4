// Programs, and the id that writes one out (definitions, sections 1 and 2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace synth {

inline constexpr int no_exchange = -1;
inline constexpr int max_instructions = 35;  // a target, at most the end, is one base-36 digit
inline constexpr int max_names = 36;         // of locations and of values, for the same reason

struct Instruction {
    std::int8_t loc;
    std::int8_t check;
    std::int8_t exch;  // no_exchange where nothing is written
    std::int8_t target;

    bool writes() const { return exch != no_exchange; }
    bool is_branch(int pc) const { return target != pc + 1; }
};

// The instructions of all threads, one thread behind the other. Meant to be read into again and again: it keeps its
// memory from one id of a batch to the next.
class Program {
public:
    // Read an id as it stands, normal form or not. The empty text is the program without threads.
    // Throws InputFault where the text is no id or a target lies outside its thread, LimitFault above 35 instructions.
    void read(std::string_view id);

    std::string id() const;

    int threads() const { return static_cast<int>(first_.size()) - 1; }
    int size() const { return static_cast<int>(code_.size()); }
    int size(int thread) const { return first_[static_cast<std::size_t>(thread) + 1] - first_[static_cast<std::size_t>(thread)]; }
    // The place of a thread's first instruction among all instructions.
    int first(int thread) const { return first_[static_cast<std::size_t>(thread)]; }

    const Instruction& operator[](int place) const { return code_[static_cast<std::size_t>(place)]; }
    Instruction& operator[](int place) { return code_[static_cast<std::size_t>(place)]; }
    std::span<const Instruction> thread(int t) const {
        return std::span(code_).subspan(static_cast<std::size_t>(first(t)), static_cast<std::size_t>(size(t)));
    }

    void clear();
    void append_thread(std::span<const Instruction> thread);

    // One more than the highest location and than the highest value named; memory starts at 0, so at least 1 value.
    int locations() const;
    int values() const;

private:
    std::vector<Instruction> code_;
    std::vector<int> first_{0};
};

}  // namespace synth
