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
// Mapping hybrid:2: the first 2 threads of an instance are neighbours, each further thread has a chunk.
// 100 instances of 3 threads.
//
// Target metal: a workgroup is a threadgroup of one thread.
// README.md says how to build, run and read this.

#include <metal_stdlib>

using namespace metal;

typedef device atomic_uint* words;

// Metal's atomics are relaxed; Metal 3.2 and later have a fence to put around them.
void put_in_order() {
#if __METAL_VERSION__ >= 320
    atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
#endif
}

// Every access to memory is an atomic read-modify-write.
uint exchange(words word, uint value) {
    put_in_order();
    const uint found = atomic_exchange_explicit(word, value, memory_order_relaxed);
    put_in_order();
    return found;
}

uint add(words word, uint value) {
    put_in_order();
    const uint found = atomic_fetch_add_explicit(word, value, memory_order_relaxed);
    put_in_order();
    return found;
}

// A thread calls this before its first step. The store is relaxed, so that it orders nothing in the test.
void start(words flag) {
    atomic_store_explicit(flag, 1u, memory_order_relaxed);
}

constant uint stopped = 0xffffffffu;  // what the last step of a thread returns

// One step of a thread at location pc, on the memory of its instance; returns the location it goes to.
uint take_step(uint tid, uint pc, words memory, words flags) {
    switch (tid) {
    case 0u:  // thread 0
        switch (pc) {
        case 0u:  // if (Exch(Mem[0],1) == 1) goto 0;
            return exchange(memory + 0, 1u) == 1u ? 0u : 1u;
        case 1u:  // Mem[0] = 0;
            exchange(memory + 0, 0u);
            return 2u;
        default:  // END
            exchange(flags + 0, 2u);
            return stopped;
        }
    case 1u:  // thread 1
        switch (pc) {
        case 0u:  // if (Mem[0] == 0) goto 0;
            return add(memory + 0, 0u) == 0u ? 0u : 1u;
        case 1u:  // Mem[1] = 1;
            exchange(memory + 1, 1u);
            return 2u;
        default:  // END
            exchange(flags + 1, 2u);
            return stopped;
        }
    default:  // thread 2
        switch (pc) {
        case 0u:  // if (Mem[1] == 0) goto 0;
            return add(memory + 1, 0u) == 0u ? 0u : 1u;
        default:  // END
            exchange(flags + 2, 2u);
            return stopped;
        }
    }
}

kernel void run(words memory [[buffer(0)]], words flags [[buffer(1)]],
         uint workgroup [[threadgroup_position_in_grid]]) {
    const uint instance = workgroup < 200u ? workgroup / 2u : workgroup % 100u;
    const uint tid = workgroup < 200u ? workgroup % 2u : workgroup / 100u;
    memory += instance * 2u;
    flags += instance * 3u;
    start(flags + tid);
    uint pc = 0u;
    while (pc != stopped) {
        pc = take_step(tid, pc, memory, flags);
    }
}
