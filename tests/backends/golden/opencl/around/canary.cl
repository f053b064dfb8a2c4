// Progress litmus test "canary"
// id 0011
//
// THREAD 0
// 0: Mem[0] = 1;
//
// Mapping plain: one instance, whose thread is the workgroup.
// 1 instance of 1 thread.
//
// Target opencl: a workgroup has one work-item.
// Every access to memory is an atomic read-modify-write, sequentially consistent where the device has that. README.md
// says how to build, run and read this.

#if __OPENCL_C_VERSION__ == 200 || (defined(__opencl_c_atomic_order_seq_cst) && defined(__opencl_c_atomic_scope_device))
typedef volatile global atomic_uint* words;

uint exchange(words word, uint value) {
    return atomic_exchange_explicit(word, value, memory_order_seq_cst, memory_scope_device);
}

// A thread calls this before its first step. The store is relaxed, so that it orders nothing in the test.
void start(words flag) {
    atomic_store_explicit(flag, 1u, memory_order_relaxed, memory_scope_device);
}
#else  // OpenCL C 1.x, or a device without those orders: atomic, and no more
typedef volatile global uint* words;

uint exchange(words word, uint value) {
    return atomic_xchg(word, value);
}

void start(words flag) {
    atomic_xchg(flag, 1u);
}
#endif

constant uint stopped = 0xffffffffu;  // what the last step of a thread returns

// One step of a thread at location pc, on the memory of its instance; returns the location it goes to.
uint take_step(uint thread, uint pc, words memory, words flags) {
    switch (thread) {
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

kernel void run(words memory, words flags) {
    const uint workgroup = get_group_id(0);
    const uint instance = 0u;
    const uint thread = workgroup;
    memory += instance * 1u;
    flags += instance * 1u;
    start(flags + thread);
    uint pc = 0u;
    while (pc != stopped) {
        pc = take_step(thread, pc, memory, flags);
    }
}
