// Small programs, a byte for each instruction: changed, compared and checked by operations on whole words.
//
// A word holds a thread, its first instruction lowest. A byte holds the location, the check, the exchange and the target:
// 1 + 1 + 2 + 3 bits. The highest bit is 0 there. No byte of an instruction is 0, as the exchange is never coded as 0.
// Programs that differ only in the order of their threads and in the names of their two locations are an orbit. The *key*
// of an orbit is one word: of all its programs the one whose threads rise as words, with the lesser names; the highest bit
// of a byte says that a thread begins there. An orbit is not named by its least id, because that is harder to find.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "program/program.hpp"
#include "transitions/orders.hpp"

namespace synth {

// Its programs have at most 5 threads, 8 instructions, of which at most 7 in a thread, 2 locations and 2 values. No
// instruction is a no-op, and stores compare with 0.
class PackedProgram {
public:
    static constexpr int max_size = 8, max_thread = 7, max_names = 2;
    using Word = std::uint64_t;

    // An orbit, and where in a program its threads are: thread k of the orbit's program is thread `from[k]`.
    struct Orbit {
        Word key;
        Orders::Order from;
    };

    PackedProgram() = default;

    // Return nothing if a program does not fit. Its stores must compare with 0, unless `clears_stores` lets them do so.
    static std::optional<PackedProgram> of(const Program& program, bool clears_stores = false);
    // The same of the program that an id stands for; also nothing if the text is not an id.
    static std::optional<PackedProgram> read(std::string_view id);
    // The program of an orbit.
    explicit PackedProgram(Word key);

    int threads() const { return threads_; }
    static int threads_of(Word key) { return static_cast<int>((key >> 7 & 0x0101010101010101) * 0x0101010101010101 >> 56); }
    int size(int thread) const;

    Orbit orbit() const;

    // Write the program.
    void unpack(Program& result) const;

    // Return the program without an instruction, and without what is a no-op then. Thread k of the result is thread
    // `from[k]` of this program.
    PackedProgram without(int thread, int pc, Orders::Order& from) const;

    // Whether the program may keep all rules: what `may_keep` of rules.hpp says of all rules.
    bool may_keep_rules() const;

    // What a thread does to the two locations (bit 0 and bit 1), and whether it has a jump back.
    struct Uses {
        std::uint8_t all, branches, writers, writers_of_one;
        bool jumps_back;
    };
    static Uses uses(Word thread);
    // The same as `may_keep_rules`, from the uses of so many threads.
    static bool may_keep_rules(const std::array<Uses, Orders::max_threads>& uses, int threads);

    // Single threads, to change them.
    Word thread(int t) const { return thread_[static_cast<std::size_t>(t)]; }
    void set_thread(int t, Word thread) { thread_[static_cast<std::size_t>(t)] = thread; }
    static bool is_exchange_branch(Word thread, int pc);
    static Word without_exchange(Word thread, int pc);
    static Word as_store(Word thread, int pc);
    static Word with_one_location(Word thread);

private:
    std::array<Word, Orders::max_threads> thread_{};
    int threads_ = 0;
};

// The order in which a program has the threads of its orbit: place p has the orbit's thread order[p].
inline std::size_t order_of(const PackedProgram::Orbit& orbit, int threads) {
    Orders::Order order{};
    for (int k = 0; k < threads; ++k) {
        order[orbit.from[static_cast<std::size_t>(k)]] = static_cast<std::uint8_t>(k);
    }
    return Orders::of(threads).number(order);
}

}  // namespace synth
