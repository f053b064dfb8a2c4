#include "lines/lines.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace synth {

namespace {

constexpr std::array<bool, 256> of_ids = [] {
    std::array<bool, 256> found{};
    for (const char c : std::string_view("0123456789abcdefghijklmnopqrstuvwxyz_-")) found[static_cast<unsigned char>(c)] = true;
    return found;
}();

}  // namespace

RisingLines rising_lines(std::string_view text, std::string_view last) {
    std::size_t count = 0;
    for (; !text.empty(); ++count) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) return {count, false};
        const std::string_view line = text.substr(0, end + 1);
        if (line <= last) return {count, false};
        last = line;
        text.remove_prefix(line.size());
    }
    return {count, true};
}

bool ids_rise(std::string_view text, std::string_view head, std::string_view last) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos || end < head.size() || text.substr(0, head.size()) != head) return false;
        std::size_t quote = head.size();
        while (of_ids[static_cast<unsigned char>(text[quote])]) ++quote;  // a line end is none of them
        const std::string_view id = text.substr(head.size(), quote - head.size());
        if (text[quote] != '"' || id.empty() || id <= last) return false;
        last = id;
        text.remove_prefix(end + 1);
    }
    return true;
}

std::size_t ended_lines(std::string_view text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

std::size_t common_lines(std::string_view one, std::string_view other) {
    constexpr std::size_t block = 4096;  // compared at once, which is several times as fast as byte by byte
    const std::size_t shorter = std::min(one.size(), other.size());
    std::size_t same = 0;
    while (same + block <= shorter && std::memcmp(one.data() + same, other.data() + same, block) == 0) same += block;
    while (same < shorter && one[same] == other[same]) ++same;
    return one.substr(0, same).rfind('\n') + 1;  // npos + 1 is 0
}

}  // namespace synth
