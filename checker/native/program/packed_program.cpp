#include "program/packed_program.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "program/id_layout.hpp"

namespace synth {

namespace {

using Word = PackedProgram::Word;

constexpr Word each = 0x0101010101010101;      // the lowest bit of each byte
constexpr Word highest = each << 7;
constexpr Word next_pcs = 0x0807060504030201;  // in byte k: k + 1
constexpr int check_at = 1, exch_at = 2, target_at = 4, byte = 8;
constexpr Word no_exch = 3;  // else 1 more than the value

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// In the lowest bit of each byte: what holds of the instruction there.
Word present(Word thread) { return (thread >> exch_at | thread >> (exch_at + 1)) & each; }
Word writes_nothing(Word thread) { return thread >> exch_at & thread >> (exch_at + 1) & each; }
Word writes_one(Word thread) { return thread >> (exch_at + 1) & ~(thread >> exch_at) & each; }
Word targets(Word thread) { return thread >> target_at & 7 * each; }
// It goes on to the next instruction in any case. Not so in bytes without one: their target is 0.
Word goes_on(Word thread) { return (highest - (targets(thread) ^ next_pcs)) >> 7 & each; }
Word jumps_back(Word thread) { return ((highest | (next_pcs - each)) - targets(thread)) >> 7 & present(thread); }
Word at_second_location(Word thread) { return thread & each; }

int size_of(Word thread) { return (64 + byte - 1 - std::countl_zero(thread)) / byte; }

Word below(int bytes) { return (Word{1} << (byte * bytes)) - 1; }

Word without_instruction(Word thread, int pc) {
    thread = (thread & below(pc)) | (thread >> byte & ~below(pc));
    const Word after = (targets(thread) + static_cast<Word>(0x7f - pc) * each) >> 7 & each;  // the target is behind pc
    return thread - (after << target_at);
}

// Without no-ops; stores compare with 0.
Word cleaned(Word thread) {
    for (;;) {
        const Word on = goes_on(thread);
        const Word no_ops = on & writes_nothing(thread);
        if (no_ops == 0) return thread & ~(on << check_at);
        thread = without_instruction(thread, std::countr_zero(no_ops) / byte);
    }
}

}  // namespace

std::optional<PackedProgram> PackedProgram::of(const Program& program, bool clears_stores) {
    if (program.threads() > Orders::max_threads || program.size() > max_size) return std::nullopt;
    PackedProgram made;
    made.threads_ = program.threads();
    for (int t = 0; t < program.threads(); ++t) {
        if (program.size(t) > max_thread) return std::nullopt;
        Word word = 0;
        for (int pc = program.size(t) - 1; pc >= 0; --pc) {
            const Instruction& i = program[program.first(t) + pc];
            if (i.loc >= max_names || i.check >= max_names || i.exch >= max_names) return std::nullopt;
            if (!i.writes() && !i.is_branch(pc)) return std::nullopt;
            const int check = i.is_branch(pc) || !clears_stores ? i.check : 0;
            if (check != 0 && !i.is_branch(pc)) return std::nullopt;
            const Word exch = i.writes() ? static_cast<Word>(i.exch) + 1 : no_exch;
            word = word << byte | static_cast<Word>(i.loc) | static_cast<Word>(check) << check_at | exch << exch_at |
                   static_cast<Word>(i.target) << target_at;
        }
        made.thread_[at(t)] = word;
    }
    return made;
}

std::optional<PackedProgram> PackedProgram::read(std::string_view id) {
    PackedProgram made;
    int size = 0;
    for (std::size_t at_character = 0;; ++at_character) {
        Word word = 0, farthest = 0;
        int pc = 0;
        for (;; ++pc, at_character += id_layout::width) {
            if (at_character == id.size() || (pc > 0 && id[at_character] == id_layout::between_threads)) break;
            if (at_character + id_layout::width > id.size() || pc == max_thread) return std::nullopt;
            const auto digit = [&](std::size_t field) { return static_cast<Word>(static_cast<unsigned char>(id[at_character + field])) - '0'; };
            const Word loc = digit(id_layout::loc), check = digit(id_layout::check), target = digit(id_layout::target);
            const bool writes = id[at_character + id_layout::exch] != id_layout::no_exchange;
            const Word exch = writes ? digit(id_layout::exch) + 1 : no_exch;
            const bool goes_on = target == static_cast<Word>(pc) + 1;
            if (loc > 1 || check > 1 || exch - 1 > no_exch - 1 || (writes && exch == no_exch) || target > max_thread ||
                (goes_on && (!writes || check != 0))) {
                return std::nullopt;
            }
            word |= (loc | check << check_at | exch << exch_at | target << target_at) << (byte * pc);
            farthest = std::max(farthest, target);
        }
        size += pc;
        if (pc == 0 || farthest > static_cast<Word>(pc) || size > max_size || made.threads_ == Orders::max_threads) return std::nullopt;
        made.thread_[at(made.threads_++)] = word;
        if (at_character == id.size()) return made;
    }
}

PackedProgram::PackedProgram(Word key) {
    while (key != 0) {
        const Word first = key & highest;
        const int bytes = (first & (first - 1)) == 0 ? max_size : std::countr_zero(first & (first - 1)) / byte;
        thread_[at(threads_++)] = (bytes == max_size ? key : key & below(bytes)) & ~highest;
        key = bytes == max_size ? 0 : key >> (byte * bytes);
    }
}

int PackedProgram::size(int thread) const { return size_of(thread_[at(thread)]); }

PackedProgram::Orbit PackedProgram::orbit() const {
    // A thread needs 7 bytes, so its number has room in the lowest one, and threads are sorted with their numbers.
    std::array<Word, Orders::max_threads> rising{}, renamed{};
    for (int t = 0; t < threads_; ++t) {
        rising[at(t)] = thread_[at(t)] << byte | static_cast<Word>(t);
        renamed[at(t)] = (thread_[at(t)] ^ present(thread_[at(t)])) << byte | static_cast<Word>(t);
    }
    // By insertion, without branches that depend on the words.
    const auto sort = [this](auto& words) {
        for (int k = 1; k < threads_; ++k) {
            for (int to = k; to > 0; --to) {
                const Word one = words[at(to - 1)], other = words[at(to)];
                words[at(to - 1)] = std::min(one, other);
                words[at(to)] = std::max(one, other);
            }
        }
    };
    sort(rising);
    sort(renamed);
    bool renames = false;
    for (int k = 0; k < threads_; ++k) {
        const Word one = rising[at(k)] >> byte, other = renamed[at(k)] >> byte;
        if (one == other) continue;
        renames = other < one;
        break;
    }
    const auto& words = renames ? renamed : rising;
    Orbit orbit{0, {}};
    int bytes = 0;
    for (int k = 0; k < threads_; ++k) {
        const Word thread = words[at(k)] >> byte;
        orbit.key |= (thread | Word{1} << 7) << (byte * bytes);
        bytes += size_of(thread);
        orbit.from[at(k)] = static_cast<std::uint8_t>(words[at(k)] & below(1));
    }
    return orbit;
}

void PackedProgram::unpack(Program& result) const {
    result.clear();
    std::array<Instruction, max_thread + 1> code;
    for (int t = 0; t < threads_; ++t) {
        Word word = thread_[at(t)];
        int size = 0;
        for (; word != 0; word >>= byte) {
            const Word exch = word >> exch_at & 3;
            code[at(size++)] = {static_cast<std::int8_t>(word & 1), static_cast<std::int8_t>(word >> check_at & 1),
                                static_cast<std::int8_t>(exch == no_exch ? no_exchange : static_cast<int>(exch) - 1),
                                static_cast<std::int8_t>(word >> target_at & 7)};
        }
        result.append_thread(std::span(code).first(at(size)));
    }
}

PackedProgram PackedProgram::without(int thread, int pc, Orders::Order& from) const {
    PackedProgram made;
    for (int t = 0; t < threads_; ++t) {
        const Word word = t == thread ? cleaned(without_instruction(thread_[at(t)], pc)) : thread_[at(t)];
        if (word == 0) continue;
        from[at(made.threads_)] = static_cast<std::uint8_t>(t);
        made.thread_[at(made.threads_++)] = word;
    }
    return made;
}

PackedProgram::Uses PackedProgram::uses(Word thread) {
    const Word there = present(thread);
    const auto locations = [thread](Word which) {
        const Word second = which & at_second_location(thread);
        return static_cast<std::uint8_t>((second != which) | (second != 0) << 1);
    };
    return {locations(there), locations(there & ~goes_on(thread)), locations(there & ~writes_nothing(thread)),
            locations(writes_one(thread)), jumps_back(thread) != 0};
}

namespace {

// What some threads use, by some of them and by two of them.
struct Used {
    unsigned by_some = 0, by_two = 0;
    void add(unsigned here) {
        by_two |= by_some & here;
        by_some |= here;
    }
};

std::array<PackedProgram::Uses, Orders::max_threads> uses_of(const PackedProgram& program) {
    std::array<PackedProgram::Uses, Orders::max_threads> of_threads{};
    for (int t = 0; t < program.threads(); ++t) of_threads[at(t)] = PackedProgram::uses(program.thread(t));
    return of_threads;
}

bool influence(const std::array<PackedProgram::Uses, Orders::max_threads>& uses, int threads) {
    Used used, compared;
    for (int t = 0; t < threads; ++t) {
        used.add(uses[at(t)].all);
        compared.add(uses[at(t)].branches);
    }
    for (int t = 0; t < threads; ++t) {
        const unsigned branches = uses[at(t)].branches, elsewhere = compared.by_two | (compared.by_some & ~branches);
        if ((uses[at(t)].writers & ~elsewhere) != 0 || (branches & ~used.by_two) != 0) return false;
    }
    return true;
}

}  // namespace

bool PackedProgram::may_keep_rules() const { return may_keep_rules(uses_of(*this), threads_); }

bool PackedProgram::may_keep_rules(const std::array<Uses, Orders::max_threads>& uses, int threads) {
    unsigned used = 0, written_one = 0;
    bool jumps_back = false;
    for (int t = 0; t < threads; ++t) {
        used |= uses[at(t)].all;
        written_one |= uses[at(t)].writers_of_one;
        jumps_back = jumps_back || uses[at(t)].jumps_back;
    }
    // A branch needs two values to compare, and a write another value before it: something must write 1.
    return jumps_back && (used & ~written_one) == 0 && influence(uses, threads);
}

bool PackedProgram::is_exchange_branch(Word thread, int pc) {
    return (present(thread) & ~writes_nothing(thread) & ~goes_on(thread)) >> (byte * pc) & 1;
}

PackedProgram::Word PackedProgram::without_exchange(Word thread, int pc) { return thread | no_exch << (byte * pc + exch_at); }

PackedProgram::Word PackedProgram::as_store(Word thread, int pc) {
    const Word changed = (Word{7} << target_at | Word{1} << check_at) << (byte * pc);
    return (thread & ~changed) | static_cast<Word>(pc + 1) << (byte * pc + target_at);
}

PackedProgram::Word PackedProgram::with_one_location(Word thread) { return thread & ~each; }

}  // namespace synth
