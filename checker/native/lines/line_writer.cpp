#include "lines/line_writer.hpp"

#include <cstring>

namespace synth {

namespace {

constexpr std::size_t fields = 4;

int value(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

}  // namespace

void LineWriter::write(std::string_view id, std::string& lines) {
    lines += pieces_.before_id;
    lines += id;
    lines += pieces_.before_threads;
    bool is_first = true;
    for (std::size_t at = 0; at < id.size(); at += fields) {
        if (id[at] == '-') {
            lines += pieces_.between_threads;
            ++at;
        } else if (!is_first) {
            lines += pieces_.between_instructions;
        }
        is_first = false;
        lines += instruction(id.substr(at, fields));
    }
    lines += pieces_.after_threads;
}

const std::string& LineWriter::instruction(std::string_view digits) {
    std::uint32_t key;
    static_assert(sizeof key == fields);
    std::memcpy(&key, digits.data(), fields);
    auto [found, is_new] = instructions_.try_emplace(key);
    if (is_new) {
        for (std::size_t k = 0; k < fields; ++k) {
            found->second += pieces_.before_field[k];
            found->second += digits[k] == '_' ? pieces_.no_exchange : std::to_string(value(digits[k]));
        }
        found->second += pieces_.after_fields;
    }
    return found->second;
}

}  // namespace synth
