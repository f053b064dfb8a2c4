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
// Mapping subgroups:16: the threads of an instance share a workgroup and are in different subgroups, 16 lanes apart.
// 100 instances of 3 threads.
//
// Target cts: a workgroup has 16 invocations for each thread of a test, of which the first runs and the others return.
// README.md says how to run and read this.

export const description = `
Progress litmus tests: each terminates wherever workgroups make progress as some model promises.
`;

import { makeTestGroup } from '../../../../common/framework/test_group.js';
import { AllFeaturesMaxLimitsGPUTest } from '../../../gpu_test.js';

export const g = makeTestGroup(AllFeaturesMaxLimitsGPUTest);

const kIterations = 20;

/**
 * Launches the workgroups of a test on memory that is all 0, and expects that each thread sets its flag to 2 when it
 * comes to its end. A device that hangs is lost, and the test fails; a flag that is 1 says that a thread left its loop
 * early, and one that is 0 that it never started.
 * One iteration after the other, in one case: the CTS runs the subcases of a case at the same time.
 */
async function run(
  t: AllFeaturesMaxLimitsGPUTest,
  code: string,
  words: number,
  threads: number,
  workgroups: number
) {
  const module = t.device.createShaderModule({ code });
  const pipeline = t.device.createComputePipeline({
    layout: 'auto',
    compute: { module, entryPoint: 'run' },
  });
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const memory = t.createBufferTracked({ size: 4 * words, usage });
  const flags = t.createBufferTracked({ size: 4 * threads, usage });
  const group = t.device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [
      { binding: 0, resource: { buffer: memory } },
      { binding: 1, resource: { buffer: flags } },
    ],
  });
  for (let iteration = 0; iteration < kIterations; ++iteration) {
    const encoder = t.device.createCommandEncoder();
    encoder.clearBuffer(memory);
    encoder.clearBuffer(flags);
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(workgroups);
    pass.end();
    t.queue.submit([encoder.finish()]);
    t.expectGPUBufferValuesEqual(flags, new Uint32Array(threads).fill(2));
    await t.queue.onSubmittedWorkDone();
  }
}

g.test('test_01100002_00_01012_10_0')
  .desc('a lock, and news of it')
  .fn(async t => {
    const code = `
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

@compute @workgroup_size(48)
fn run(@builtin(workgroup_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
    if lane % 16u != 0u {
        return;
    }
    let workgroup = id.x;
    let instance = workgroup;
    let thread = lane / 16u;
    let region = instance * 2u;
    let first_flag = instance * 3u;
    atomicStore(&flags[first_flag + thread], 1u);  // this thread has started
    var pc = 0u;
    while pc != stopped {
        pc = take_step(thread, pc, region, first_flag);
    }
}
`;
    await run(t, code, 200, 300, 100);
  });
