// Programs and their ids (definitions, sections 1 and 2).
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

// The instructions of all threads, one thread after the other. An object can be read into again and again, and uses its
// memory again for the next id.
class Program {
public:
    // Read an id, which need not be that of a normal form. The empty text is the program without threads.
    // Throws InputFault if the text is not an id or a target lies outside its thread, and LimitFault if a thread has more
    // than 35 instructions.
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

    // The highest location plus one, and the highest value plus one. There is at least one value, as memory starts at 0.
    int locations() const;
    int values() const;

private:
    std::vector<Instruction> code_;
    std::vector<int> first_{0};
};

}  // namespace synth
