// Progress litmus test "canary"
// id 0011
//
// THREAD 0
// 0: Mem[0] = 1;
//
// Mapping plain: one instance, whose thread is the workgroup.
// 1 instance of 1 thread.
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
    default:  // thread 0
        switch (pc) {
        case 0u:  // Mem[0] = 1;
            exchange(region + 0u, 1u);
            return 1u;
        default:  // END
            finish(first_flag + 0u);
            return stopped;
        }
    }
}

void main() {
    const uint workgroup = gl_WorkGroupID.x;
    const uint instance = 0u;
    const uint thread = workgroup;
    const uint region = instance * 1u;
    const uint first_flag = instance * 1u;
    start(first_flag + thread);
    uint pc = 0u;
    while (pc != stopped) {
        pc = take_step(thread, pc, region, first_flag);
    }
}
