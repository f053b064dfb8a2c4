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
// Mapping stride:16: the threads of an instance are 16 workgroups apart.
// 100 instances of 3 threads.
//
// Target glsl: a workgroup has one invocation.
// README.md says how to build, run and read this.

#version 450
#extension GL_KHR_memory_scope_semantics : require

layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Memory { uint memory[]; };
layout(set = 0, binding = 1) buffer Flags { uint flags[]; };

// Every access to memory is an atomic read-modify-write that acquires and releases, in the scope of the device.
uint exchange(uint word, uint value) {
    return atomicExchange(memory[word], value, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
}

uint add(uint word, uint value) {
    return atomicAdd(memory[word], value, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
}

// A thread calls this before its first step. The store is relaxed, so that it orders nothing in the test.
void start(uint flag) {
    atomicStore(flags[flag], 1u, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

void finish(uint flag) {
    atomicExchange(flags[flag], 2u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
}

const uint stopped = 0xffffffffu;  // what the last step of a thread returns

// One step of a thread at location pc, on the memory of its instance, which begins at word "region" and whose threads
// have flags from "first_flag" on; returns the location it goes to.
uint take_step(uint thread, uint pc, uint region, uint first_flag) {
    switch (thread) {
    case 0u:  // thread 0
        switch (pc) {
        case 0u:  // if (Exch(Mem[0],1) == 1) goto 0;
            return exchange(region + 0u, 1u) == 1u ? 0u : 1u;
        case 1u:  // Mem[0] = 0;
            exchange(region + 0u, 0u);
            return 2u;
        default:  // END
            finish(first_flag + 0u);
            return stopped;
        }
    case 1u:  // thread 1
        switch (pc) {
        case 0u:  // if (Mem[0] == 0) goto 0;
            return add(region + 0u, 0u) == 0u ? 0u : 1u;
        case 1u:  // Mem[1] = 1;
            exchange(region + 1u, 1u);
            return 2u;
        default:  // END
            finish(first_flag + 1u);
            return stopped;
        }
    default:  // thread 2
        switch (pc) {
        case 0u:  // if (Mem[1] == 0) goto 0;
            return add(region + 1u, 0u) == 0u ? 0u : 1u;
        default:  // END
            finish(first_flag + 2u);
            return stopped;
        }
    }
}

void main() {
    const uint workgroup = gl_WorkGroupID.x;
    const uint block = workgroup / 48u;
    const uint rest = workgroup % 48u;
    const uint width = block < 6u ? 16u : 4u;
    const uint instance = block * 16u + rest % width;
    const uint thread = rest / width;
    const uint region = instance * 2u;
    const uint first_flag = instance * 3u;
    start(first_flag + thread);
    uint pc = 0u;
    while (pc != stopped) {
        pc = take_step(thread, pc, region, first_flag);
    }
}
