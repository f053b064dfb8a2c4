// Progress litmus test "a lock, and news of it"
// id 01100002-00_01012-10_0
//
// THREAD 0
// 0: if (Exch(Mem[0],1) == 1) goto 0;
// 1: Mem[0] = 0;
//
// THREAD 1
// 0: if (Mem[0] == 0) goto 0;
// 1: Mem[1] = 1;
//
// THREAD 2
// 0: if (Mem[1] == 0) goto 0;
//
// Must terminate under: OBE.weak, OBE.strong, LOBE.weak, LOBE.strong, HSA+OBE.weak, HSA+OBE.strong,
//     fair.weak, fair.strong.
// May hang under: unfair, HSA.weak, HSA.strong.
//
// Mapping chunked: first thread 0 of every instance, then thread 1 of every instance, and so on.
// 100 instances of 3 threads, behind 4 workgroups that only stress memory (add:256:1:1024).
//
// Target cpp: a workgroup is a std::jthread. Every access to memory is a sequentially consistent atomic
// read-modify-write. README.md says how to build, run and read this.

#include "litmus.h"

#include <atomic>
#include <iterator>
#include <system_error>
#include <thread>
#include <vector>

namespace {

using Word = std::atomic<unsigned>;

constexpr unsigned stopped = ~0U;  // what the last step of a thread returns

// A thread calls this before its first step. The store is relaxed, so that it orders nothing in the test.
void start(unsigned& flag) {
    std::atomic_ref{flag}.store(LITMUS_STARTED, std::memory_order_relaxed);
}

void finish(unsigned& flag) {
    std::atomic_ref{flag}.store(LITMUS_FINISHED);
}

// What a workgroup does that only stresses memory.
void run_stress(unsigned workgroup, Word* words) {
    for (unsigned round = 0; round < 1024; ++round) {
        Word& word = words[(workgroup + round) % 256u * 1u];
        word.fetch_add(1);
    }
}

// One step of a thread at location pc, on the memory of its instance; returns the location it goes to.
unsigned take_step(unsigned thread, unsigned pc, Word* memory, unsigned* flags) {
    switch (thread) {
    case 0u:  // thread 0
        switch (pc) {
        case 0u:  // if (Exch(Mem[0],1) == 1) goto 0;
            return memory[0].exchange(1) == 1u ? 0u : 1u;
        case 1u:  // Mem[0] = 0;
            memory[0].exchange(0);
            return 2u;
        default:  // END
            finish(flags[0]);
            return stopped;
        }
    case 1u:  // thread 1
        switch (pc) {
        case 0u:  // if (Mem[0] == 0) goto 0;
            return memory[0].fetch_add(0) == 0u ? 0u : 1u;
        case 1u:  // Mem[1] = 1;
            memory[1].exchange(1);
            return 2u;
        default:  // END
            finish(flags[1]);
            return stopped;
        }
    default:  // thread 2
        switch (pc) {
        case 0u:  // if (Mem[1] == 0) goto 0;
            return memory[1].fetch_add(0) == 0u ? 0u : 1u;
        default:  // END
            finish(flags[2]);
            return stopped;
        }
    }
}

// No barrier comes before the first step: that a thread need not have started is part of the test.
void run(unsigned started, Word* memory) {
    if (started < 4u) {
        run_stress(started, memory + 200u);
        return;
    }
    const unsigned workgroup = started - 4u;
    const unsigned instance = workgroup % 100u;
    const unsigned thread = workgroup / 100u;
    memory += instance * 2u;
    unsigned* const flags = litmus_flags + instance * 3u;
    start(flags[thread]);
    unsigned pc = 0;
    while (pc != stopped) {
        pc = take_step(thread, pc, memory, flags);
    }
}

// The canary: one thread that stores and ends.
void run_canary(unsigned, Word* memory) {
    start(litmus_flags[0]);
    memory[0].exchange(1);
    finish(litmus_flags[0]);
}

// Runs a test, in a process of its own.
template <void (*run_workgroup)(unsigned, Word*)>
void run_test(const litmus_test* test) {
    if (litmus_device > 0) {
        litmus_fail("--device: found %u, expected 0: there is no other", litmus_device);
    }
    char driver[LITMUS_LONGEST_DRIVER];
    std::snprintf(driver, sizeof driver, "std::jthread, %u processors, compiler %s",
                  std::thread::hardware_concurrency(), __VERSION__);
    litmus_fact("name", "%u processors", std::thread::hardware_concurrency());
    litmus_fact("driver", "std::jthread");
    litmus_fact("driver_version", "compiler %s", __VERSION__);
    litmus_ready(driver);
    std::vector<Word> memory(test->words);
    while (litmus_next(test)) {
        for (Word& word : memory) {
            word = 0;
        }
        std::vector<std::jthread> running;
        for (unsigned workgroup = 0; workgroup < test->workgroups; ++workgroup) {
            try {
                running.emplace_back(run_workgroup, workgroup, memory.data());
            } catch (const std::system_error& error) {
                litmus_fail("workgroup %u can't be started: %s", workgroup, error.what());
            }
        }
    }  // where they are joined
}

// id, name, mapping, threads, instances, workgroups that stress, all workgroups, threads of a workgroup, how many of
// these two threads of the test are apart, words of memory, how to run it; and the verdicts under which it must
// terminate, and under which it may hang. The last is the canary.
constexpr litmus_test tests[] = {
    {"01100002-00_01012-10_0", "a lock, and news of it", "chunked", 3, 100, 4, 304, 1, 0, 456, run_test<run>,
     "OBE.weak OBE.strong LOBE.weak LOBE.strong HSA+OBE.weak HSA+OBE.strong fair.weak fair.strong",
     "unfair HSA.weak HSA.strong"},
    {"0011", "canary", "plain", 1, 1, 0, 1, 1, 0, 1, run_test<run_canary>, "", ""},
};

// target, release of synth, order and scope of accesses, whether flags can be read while a launch runs, stress
constexpr litmus_program program = {"cpp", "1.2.3", "seq_cst system", 1, "add:256:1:1024"};

}  // namespace

int main(int argc, char** argv) {
    return litmus_main(argc, argv, &program, tests, std::size(tests));
}
