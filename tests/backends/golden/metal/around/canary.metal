// Progress litmus test "canary"
// id 0011
//
// THREAD 0
// 0: Mem[0] = 1;
//
// Mapping plain: one instance, whose thread is the workgroup.
// 1 instance of 1 thread.
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

// A thread calls this before its first step. The store is relaxed, so that it orders nothing in the test.
void start(words flag) {
    atomic_store_explicit(flag, 1u, memory_order_relaxed);
}

constant uint stopped = 0xffffffffu;  // what the last step of a thread returns

// One step of a thread at location pc, on the memory of its instance; returns the location it goes to.
uint take_step(uint tid, uint pc, words memory, words flags) {
    switch (tid) {
    default:  // thread 0
        switch (pc) {
        case 0u:  // Mem[0] = 1;
            exchange(memory + 0, 1u);
            return 1u;
        default:  // END
            exchange(flags + 0, 2u);
            return stopped;
        }
    }
}

kernel void run(words memory [[buffer(0)]], words flags [[buffer(1)]],
         uint workgroup [[threadgroup_position_in_grid]]) {
    const uint instance = 0u;
    const uint tid = workgroup;
    memory += instance * 1u;
    flags += instance * 1u;
    start(flags + tid);
    uint pc = 0u;
    while (pc != stopped) {
        pc = take_step(tid, pc, memory, flags);
    }
}
