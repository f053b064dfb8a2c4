// The data by which programs are decided in lanes: sets of the states of many programs of one shape, side by side.
//
// The states of a program are its memories, combined with its combinations of pcs. A set of them is one, two or four words,
// and a bit for each state. A combination of pcs adds the strides of the threads' pcs. With four words, each memory has a
// word; with two, each value of the second location; so what an instruction does where its location has one value adds the
// same to the place of a bit, and may lead to another word. Here are plain numbers only: the code that works on them
// (set_batches.hpp) is compiled once for each kind of processor (lanes/vectors.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace synth::sets {

using Word = std::uint64_t;

inline constexpr int max_threads = 5;   // PackedProgram's
inline constexpr int max_size = 8;      // instructions
inline constexpr int max_pcs = 8;       // of a thread; the last is its end
inline constexpr int max_words = 4;
inline constexpr int max_batch = 16;    // programs
inline constexpr int max_models = 64;

// What the sizes of the threads fix.
struct Shape {
    int threads;
    int size[max_threads];
    int words;
    Word stride[max_threads];        // what the next pc of a thread adds to the place of a bit
    // Sets of states, the same in each word: those in which a thread is at a pc, of which the last is its end; and those in
    // which exactly these threads are live.
    Word at[max_threads][max_pcs];
    Word live[1 << max_threads];
};

// Verdicts that fail, bit by bit, where an automaton's state is among those of a set.
struct Case {
    int state;
    Word verdicts;
};

// The cases of some live threads and of those that step, and all verdicts among them.
struct Cases {
    const Case* first;
    int count;
    Word any;
};

// Automata side by side that only remember history, as HistoryVerdicts has them.
struct Models {
    int states;
    const int* order;        // of the states: each comes before its successors
    bool comes_back;         // there is no such order, and the states must be visited again and again
    const int* steps;        // by state and thread
    const int* ends;         // the same, if the thread ends with its step
    // At live << threads | some: what fails where exactly the threads `some` step again and again, and where no step of theirs
    // leaves a set.
    const Cases* recurrent;
    const Cases* closed;
    Word all;                // verdicts
};

// Programs of a shape, a word for each thread (packed_program.hpp), and what is found of them.
struct Batch {
    Word thread[max_threads][max_batch];
    int programs;
    // No verdicts are needed if each program breaks one of these rules.
    Word in_force;
    Word broken[max_batch];  // rules, as in rules.hpp
    Word* failed;            // verdicts, by models and program: `max_batch` for each
    void* room;              // `room_for` bytes, aligned as vectors are
};

inline constexpr std::size_t alignment = 64;
// How many bytes the sets of all states of the models take.
constexpr std::size_t room_for(std::size_t states) { return states * max_words * max_batch * sizeof(Word); }

using Decide = void (*)(const Shape& shape, const Models* models, int count, Batch& batch);

void decide_portable(const Shape& shape, const Models* models, int count, Batch& batch);
#ifdef __x86_64__
void decide_avx2(const Shape& shape, const Models* models, int count, Batch& batch);
void decide_avx512(const Shape& shape, const Models* models, int count, Batch& batch);
#endif
#ifdef __aarch64__
void decide_neon(const Shape& shape, const Models* models, int count, Batch& batch);
#endif

}  // namespace synth::sets
