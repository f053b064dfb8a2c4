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
// Mapping invocations: the threads of an instance share a subgroup.
// 100 instances of 3 threads.
//
// Target wgsl: a workgroup has a invocation for each thread of a test.
// Every access to memory is an atomic read-modify-write; in WGSL these are relaxed. README.md says how to run and read
// this.

@group(0) @binding(0) var<storage, read_write> memory: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> flags: array<atomic<u32>>;

const stopped = 0xffffffffu;  // what the last step of a thread returns

// One step of a thread at location pc, on the memory of its instance, which begins at word "region" and whose threads
// have flags from "first_flag" on; returns the location it goes to.
fn take_step(thread: u32, pc: u32, region: u32, first_flag: u32) -> u32 {
    switch thread {
    case 0u: {  // thread 0
        switch pc {
        case 0u: {  // if (Exch(Mem[0],1) == 1) goto 0;
            return select(1u, 0u, atomicExchange(&memory[region + 0u], 1u) == 1u);
        }
        case 1u: {  // Mem[0] = 0;
            atomicExchange(&memory[region + 0u], 0u);
            return 2u;
        }
        default: {  // END
            atomicStore(&flags[first_flag + 0u], 2u);
            return stopped;
        }
        }
    }
    case 1u: {  // thread 1
        switch pc {
        case 0u: {  // if (Mem[0] == 0) goto 0;
            return select(1u, 0u, atomicAdd(&memory[region + 0u], 0u) == 0u);
        }
        case 1u: {  // Mem[1] = 1;
            atomicExchange(&memory[region + 1u], 1u);
            return 2u;
        }
        default: {  // END
            atomicStore(&flags[first_flag + 1u], 2u);
            return stopped;
        }
        }
    }
    default: {  // thread 2
        switch pc {
        case 0u: {  // if (Mem[1] == 0) goto 0;
            return select(1u, 0u, atomicAdd(&memory[region + 1u], 0u) == 0u);
        }
        default: {  // END
            atomicStore(&flags[first_flag + 2u], 2u);
            return stopped;
        }
        }
    }
    }
}

@compute @workgroup_size(3)
fn run(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    let workgroup = id.x;
    let instance = workgroup;
    let thread = lane;
    let region = instance * 2u;
    let first_flag = instance * 3u;
    atomicStore(&flags[first_flag + thread], 1u);  // this thread has started
    var pc = 0u;
    while pc != stopped {
        pc = take_step(thread, pc, region, first_flag);
    }
}
