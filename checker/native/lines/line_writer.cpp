#include "lines/line_writer.hpp"

#include <cstring>

namespace synth {

void LineWriter::write(std::string_view id, std::string& lines) {
    lines += pieces_.before_id;
    lines += id;
    lines += pieces_.before_threads;
    bool is_first_thread = true;
    id_layout::each_instruction(id, [&](std::string_view digits, bool is_first) {
        if (!is_first) {
            lines += pieces_.between_instructions;
        } else if (!is_first_thread) {
            lines += pieces_.between_threads;
        }
        is_first_thread = false;
        lines += instruction(digits);
    });
    lines += pieces_.after_threads;
}

const std::string& LineWriter::instruction(std::string_view digits) {
    std::uint32_t key;
    static_assert(sizeof key == id_layout::width);
    std::memcpy(&key, digits.data(), id_layout::width);
    auto [found, is_new] = instructions_.try_emplace(key);
    if (is_new) {
        for (std::size_t k = 0; k < id_layout::width; ++k) {
            found->second += pieces_.before_field[k];
            found->second += digits[k] == id_layout::no_exchange ? pieces_.no_exchange : std::to_string(id_layout::number(digits[k]));
        }
        found->second += pieces_.after_fields;
    }
    return found->second;
}

}  // namespace synth
