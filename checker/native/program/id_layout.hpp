// The layout of an id: which of its characters stands for what (definitions, section 2). Nothing else in the core knows
// this. synth_checker/programs/id_layout.py is the counterpart in Python.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace synth::id_layout {

// Where each field stands in the characters of an instruction, and how many characters these are.
inline constexpr std::size_t loc = 0, check = 1, exch = 2, target = 3, width = 4;
inline constexpr char between_threads = '-';
inline constexpr char no_exchange = '_';  // in place of exch

// A number below 36 as a base-36 digit.
constexpr char digit(int number) { return "0123456789abcdefghijklmnopqrstuvwxyz"[number]; }

// The number that a digit stands for, or -1 if the character is not a digit.
constexpr int number(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'z') return digit - 'a' + 10;
    return -1;
}

// Append an instruction; `writes` says whether it writes `exchanged`.
inline void append_instruction(std::string& id, int location, int checked, bool writes, int exchanged, int next) {
    id += digit(location);
    id += digit(checked);
    id += writes ? digit(exchanged) : no_exchange;
    id += digit(next);
}

inline int threads(std::string_view id) {
    return id.empty() ? 0 : static_cast<int>(std::ranges::count(id, between_threads)) + 1;
}

// Call `work(digits, is_first)` with the characters of each instruction of a correct id; `is_first` says whether a thread
// begins there.
template <class Work>
void each_instruction(std::string_view id, Work&& work) {
    bool is_first = true;
    for (std::size_t at = 0; at < id.size(); at += width) {
        if (id[at] == between_threads) {
            is_first = true;
            ++at;
        }
        work(id.substr(at, width), is_first);
        is_first = false;
    }
}

}  // namespace synth::id_layout
