// What programs are decided by in lanes: sets of the states of many programs of one shape, side by side.
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
inline constexpr int max_pcs = 8;       // of a thread, the one behind its end, too
inline constexpr int max_words = 4;
inline constexpr int max_batch = 16;    // programs
inline constexpr int max_models = 64;

// What the sizes of the threads fix.
struct Shape {
    int threads;
    int size[max_threads];
    int words;
    Word stride[max_threads];        // what the next pc of a thread adds to the place of a bit
    Word at[max_threads][max_pcs];   // in each word: the states with a pc of a thread; the last pc is its end
    Word live[1 << max_threads];     // in each word: the states in which exactly these threads are live
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
    const int* order;        // of the states: successors come later, but for the state itself
    bool comes_back;         // that could not be done, and the states must be gone through again
    const int* steps;        // by state and thread
    const int* ends;         // the same, if the thread ends with its step
    const Cases* recurrent;  // by live threads, and those that step again and again
    const Cases* closed;     // the same: those whose steps stay within a set
    int threads;
    Word all;                // verdicts
    const Cases& of(const Cases* cases, unsigned live, unsigned some) const { return cases[live << threads | some]; }
};

// Programs of a shape, a word for each thread (packed_program.hpp), and what is found of them.
struct Batch {
    Word thread[max_threads][max_batch];
    int programs;
    // No verdicts are needed if each program breaks one of these rules.
    Word in_force;
    Word broken[max_batch];  // rules, as in rules.hpp
    Word* failed;            // verdicts, by models and program: `max_batch` for each
    Word* room;              // `room_for` words, aligned as vectors are
};

// How many words the sets of all states of the models take.
inline std::size_t room_for(std::size_t states) { return states * max_words * max_batch; }

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
