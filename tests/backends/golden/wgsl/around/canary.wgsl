// Progress litmus test "canary"
// id 0011
//
// THREAD 0
// 0: Mem[0] = 1;
//
// Mapping plain: one instance, whose thread is the workgroup.
// 1 instance of 1 thread.
//
// Target wgsl: a workgroup has one invocation.
// Every access to memory is an atomic read-modify-write; in WGSL these are relaxed. README.md says how to run and read
// this.

@group(0) @binding(0) var<storage, read_write> memory: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> flags: array<atomic<u32>>;

const stopped = 0xffffffffu;  // what the last step of a thread returns

// One step of a thread at location pc, on the memory of its instance, which begins at word "region" and whose threads
// have flags from "first_flag" on; returns the location it goes to.
fn take_step(thread: u32, pc: u32, region: u32, first_flag: u32) -> u32 {
    switch thread {
    default: {  // thread 0
        switch pc {
        case 0u: {  // Mem[0] = 1;
            atomicExchange(&memory[region + 0u], 1u);
            return 1u;
        }
        default: {  // END
            atomicStore(&flags[first_flag + 0u], 2u);
            return stopped;
        }
        }
    }
    }
}

@compute @workgroup_size(1)
fn run(@builtin(workgroup_id) id: vec3u) {
    let workgroup = id.x;
    let instance = 0u;
    let thread = workgroup;
    let region = instance * 1u;
    let first_flag = instance * 1u;
    atomicStore(&flags[first_flag + thread], 1u);  // this thread has started
    var pc = 0u;
    while pc != stopped {
        pc = take_step(thread, pc, region, first_flag);
    }
}
