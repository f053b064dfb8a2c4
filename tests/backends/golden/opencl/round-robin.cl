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
// Mapping round-robin: the threads of an instance are neighbours.
// 100 instances of 3 threads.
//
// Target opencl: a workgroup has one work-item.
// Every access to memory is an atomic read-modify-write, sequentially consistent where the device has that. README.md
// says how to build, run and read this.

#if __OPENCL_C_VERSION__ == 200 || (defined(__opencl_c_atomic_order_seq_cst) && defined(__opencl_c_atomic_scope_device))
typedef volatile global atomic_uint* words;

uint exchange(words word, uint value) {
    return atomic_exchange_explicit(word, value, memory_order_seq_cst, memory_scope_device);
}

uint add(words word, uint value) {
    return atomic_fetch_add_explicit(word, value, memory_order_seq_cst, memory_scope_device);
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

uint add(words word, uint value) {
    return atomic_add(word, value);
}

void start(words flag) {
    atomic_xchg(flag, 1u);
}
#endif

constant uint stopped = 0xffffffffu;  // what the last step of a thread returns

// One step of a thread at location pc, on the memory of its instance; returns the location it goes to.
uint take_step(uint thread, uint pc, words memory, words flags) {
    switch (thread) {
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

kernel void run(words memory, words flags) {
    const uint workgroup = get_group_id(0);
    const uint instance = workgroup / 3u;
    const uint thread = workgroup % 3u;
    memory += instance * 2u;
    flags += instance * 3u;
    start(flags + thread);
    uint pc = 0u;
    while (pc != stopped) {
        pc = take_step(thread, pc, memory, flags);
    }
}
