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
// Target hip: a workgroup is a block of one thread.
// Every access to memory is an atomic read-modify-write, sequentially consistent in the scope of the device. README.md
// says how to build, run and read this.

#include "litmus.h"

#include <hip/hip_runtime.h>

namespace {

__device__ unsigned exchange(unsigned* word, unsigned value) {
    return __hip_atomic_exchange(word, value, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ unsigned add(unsigned* word, unsigned value) {
    return __hip_atomic_fetch_add(word, value, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_AGENT);
}

// A thread calls this before its first step. The store is relaxed, so that it orders nothing in the test. Flags are in
// memory of the host.
__device__ void start(unsigned* flag) {
    __hip_atomic_store(flag, static_cast<unsigned>(LITMUS_STARTED), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
}

__device__ void finish(unsigned* flag) {
    __hip_atomic_store(flag, static_cast<unsigned>(LITMUS_FINISHED), __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
}

constexpr unsigned stopped = ~0U;  // what the last step of a thread returns

// One step of a thread at location pc, on the memory of its instance; returns the location it goes to.
__device__ unsigned take_step(unsigned thread, unsigned pc, unsigned* memory, unsigned* flags) {
    switch (thread) {
    case 0u:  // thread 0
        switch (pc) {
        case 0u:  // if (Exch(Mem[0],1) == 1) goto 0;
            return exchange(memory + 0, 1u) == 1u ? 0u : 1u;
        case 1u:  // Mem[0] = 0;
            exchange(memory + 0, 0u);
            return 2u;
        default:  // END
            finish(flags + 0);
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
            finish(flags + 1);
            return stopped;
        }
    default:  // thread 2
        switch (pc) {
        case 0u:  // if (Mem[1] == 0) goto 0;
            return add(memory + 1, 0u) == 0u ? 0u : 1u;
        default:  // END
            finish(flags + 2);
            return stopped;
        }
    }
}

__global__ void run(unsigned* memory, unsigned* flags) {
    const unsigned workgroup = blockIdx.x;
    const unsigned instance = workgroup / 3u;
    const unsigned thread = workgroup % 3u;
    memory += instance * 2u;
    flags += instance * 3u;
    start(flags + thread);
    unsigned pc = 0;
    while (pc != stopped) {
        pc = take_step(thread, pc, memory, flags);
    }
}

// The canary: one thread that stores and ends.
__global__ void run_canary(unsigned* memory, unsigned* flags) {
    start(flags);
    exchange(memory, 1);
    finish(flags);
}

// Whether the driver or the system has taken the device away, as a watchdog does.
bool is_loss(hipError_t code) {
    return code == hipErrorLaunchTimeOut || code == hipErrorNoDevice || code == hipErrorECCNotCorrectable;
}

void check(hipError_t code, const char* what) {
    if (is_loss(code)) {
        litmus_lose(hipGetErrorName(code), what);
    }
    if (code != hipSuccess) {
        litmus_fail("%s: %s", what, hipGetErrorString(code));
    }
}

void describe(const litmus_test* test) {
    int driver = 0;
    check(hipDriverGetVersion(&driver), "driver");
    hipDeviceProp_t properties;
    check(hipGetDeviceProperties(&properties, static_cast<int>(litmus_device)), "device");
    char all[LITMUS_LONGEST_DRIVER];
    snprintf(all, sizeof all, "%.80s, %.80s, HIP driver %d, compiled by HIP %d.%d", properties.name,
             properties.gcnArchName, driver, HIP_VERSION_MAJOR, HIP_VERSION_MINOR);
    litmus_fact("name", "%s %s", properties.name, properties.gcnArchName);
    litmus_fact("vendor", "AMD");
    litmus_fact("driver", "HIP");
    litmus_fact("driver_version", "%d", driver);
    litmus_fact("api", "HIP %d.%d", HIP_VERSION_MAJOR, HIP_VERSION_MINOR);
    litmus_check_subgroup(test, static_cast<unsigned>(properties.warpSize));
    litmus_ready(all);
}

// Runs a test, in a process of its own. The flags are in memory that the parent shares.
template <void (*kernel)(unsigned*, unsigned*)>
void run_test(const litmus_test* test) {
    unsigned* memory = nullptr;
    void* flags = nullptr;
    const size_t bytes = sizeof(unsigned) * test->words;
    int devices = 0;
    check(hipGetDeviceCount(&devices), "found no device");
    if (litmus_device >= static_cast<unsigned>(devices)) {
        litmus_fail("--device: found %u, expected a number below %d, which is how many there are", litmus_device,
                    devices);
    }
    check(hipSetDevice(static_cast<int>(litmus_device)), "--device");
    check(hipMalloc(reinterpret_cast<void**>(&memory), bytes), "memory");
    check(hipHostRegister(litmus_flags, litmus_flag_bytes(test), hipHostRegisterMapped), "flags");
    check(hipHostGetDevicePointer(&flags, litmus_flags, 0), "flags");
    // A kernel is loaded, or even compiled, when it is first asked for: here, or that would count for the time-out.
    hipFuncAttributes attributes;
    check(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)), "kernel");
    describe(test);
    while (litmus_next(test)) {
        check(hipMemset(memory, 0, bytes), "memory");
        kernel<<<test->workgroups, test->width>>>(memory, static_cast<unsigned*>(flags));
        check(hipGetLastError(), "launch");
        check(hipDeviceSynchronize(), "end of the launch");
    }
}

// id, name, mapping, threads, instances, workgroups that stress, all workgroups, threads of a workgroup, how many of
// these two threads of the test are apart, words of memory, how to run it; and the verdicts under which it must
// terminate, and under which it may hang. The last is the canary.
const litmus_test tests[] = {
    {"01100002-00_01012-10_0", "a lock, and news of it", "round-robin", 3, 100, 0, 300, 1, 0, 200, run_test<run>,
     "OBE.weak OBE.strong LOBE.weak LOBE.strong HSA+OBE.weak HSA+OBE.strong fair.weak fair.strong",
     "unfair HSA.weak HSA.strong"},
    {"0011", "canary", "plain", 1, 1, 0, 1, 1, 0, 1, run_test<run_canary>, "", ""},
};

// target, release of synth, order and scope of accesses, whether flags can be read while a launch runs, stress
const litmus_program program = {"hip", "1.2.3", "seq_cst device", 1, "add:256:1:1024"};

}  // namespace

int main(int argc, char** argv) {
    return litmus_main(argc, argv, &program, tests, sizeof tests / sizeof tests[0]);
}
