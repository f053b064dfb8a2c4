// What the search in lanes works on: many partial programs at once, each in a lane of vector registers.
//
// The tables say what a shape fixes. The stack holds partial programs, field by field, so that neighbours fill a vector.
// Both are plain numbers: the code that works on them (lane_batches.hpp) is compiled once for each kind of processor
// (lane_paths.hpp), and must share no code with the rest, as the linker would keep the copy of either.
//
// A set of states is split by the values of some locations, the split ones: a word for each of their contents, and in
// each word a bit for each content of the other locations and of the pcs. An edge of a location that is not split is a
// mask and a rotation of each word. An edge of a split location leaves some words only, and goes to the same word or to
// the one with the other value. Edge 2 * i + v is what instruction i does when it reads v; there are two values.
#pragma once

#include <cstddef>
#include <cstdint>

namespace synth::lanes {

using Word = std::uint64_t;

inline constexpr int max_instructions = 8;
inline constexpr int max_edges = 2 * max_instructions;
inline constexpr int max_words = 4;

// What an edge does is one byte: the rotation, whether it goes to the word with the other value, and whether it leads to
// its instruction itself or to one before. An edge that is not decided has 0 there, and so leads from each state to itself.
// An instruction's two edges are in the same word.
inline constexpr int shift_words = 2;
inline constexpr int edges_per_word = max_edges / shift_words;
inline constexpr Word other_word = 64, jumps_back = 128;
inline constexpr Word edge_mask = 0xff;
inline constexpr Word any_jumps_back = ~Word{0} / 0xff * jumps_back;  // in each byte

// Where the fields of a partial program's masks begin.
inline constexpr int open_at = 0;                             // an edge is not decided
inline constexpr int required_at = open_at + max_edges;       // an edge must be followed by some execution
inline constexpr int may_branch_at = required_at + max_edges; // an instruction is no store
inline constexpr int writes_at = may_branch_at + max_instructions;
inline constexpr int may_change_at = writes_at + max_instructions; // it writes 1 or is not decided
inline constexpr int spins_at = may_change_at + max_instructions;  // it was reached, and then changed nothing
inline constexpr Word all_edges = (Word{1} << max_edges) - 1;
inline constexpr Word all_instructions = (Word{1} << max_instructions) - 1;

// The code of a program has a byte for each instruction: 0 if nothing is decided, 1 to 3 for a branch that was only seen
// to fall through (with no exchange, exchange 0, exchange 1), and other numbers for what is decided whole.
inline constexpr int code_bits = 8;
inline constexpr Word code_mask = (Word{1} << code_bits) - 1;
inline constexpr int seen_falling_through = 3;

// Which ways there are to decide an edge. An instruction of which nothing is decided has a list for each combination of
// what the other instructions allow it; a branch that was seen falling through has one for each exchange.
inline constexpr int may_write = 1, may_store = 2, may_leave = 4;
inline constexpr int choices = 8 + seen_falling_through;

// A list of ways to decide an edge: what each changes in a field, by exclusive or. First come those that spin: the edge
// leads from each state to itself.
struct Ways {
    const Word* shifts;
    const Word* code;
    const Word* masks;
    std::size_t spins, size;
};

struct Tables {
    int words;
    int edges;
    int threads;
    Word of_thread[max_instructions][shift_words];  // all ones in the bytes of a thread's edges
    Word ends;                         // in each word: all threads have ended
    Word from[max_edges];              // in each word that an edge leaves
    Word alone[max_edges];             // those of them where all other threads have ended
    int split[max_edges];              // words differ in this bit of their number by the edge's location; 0: in none
    Word same_loc[max_instructions];   // the other instructions on the same location
    Word elsewhere[max_instructions];  // those of them in other threads
    Ways ways[max_edges][choices];
};

// Partial programs, field by field.
struct Stack {
    Word* reached[max_words];
    Word* shifts[shift_words];
    Word* code;
    Word* masks;
    std::size_t size;
};

// A search: what is left to do, programs that may be tests but for a cycle, and the codes of the tests found.
struct Work {
    Stack partial, whole;
    Word* tests;
    std::size_t found;
    std::size_t room;  // for tests
};

// Work on batches of partial programs until so many were examined, until all were, or until there may be no room for the
// tests of a further batch; return how many were examined. When no partial program is left, no whole one is left, either.
using Examine = Word (*)(const Tables& tables, Work& work, Word steps);

Word examine_portable(const Tables& tables, Work& work, Word steps);
#ifdef __x86_64__
Word examine_avx2(const Tables& tables, Work& work, Word steps);
Word examine_avx512(const Tables& tables, Work& work, Word steps);
#endif
#ifdef __aarch64__
Word examine_neon(const Tables& tables, Work& work, Word steps);
#endif

// The most partial programs in a batch. A stack needs room for so many at each depth, times the most ways of an edge.
// Fields are read and written by whole vectors: behind the last entry of a stack is room for a batch, and behind a list of
// ways for a vector.
inline constexpr std::size_t max_batch = 32, max_lanes = 8;

}  // namespace synth::lanes
