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
// May run for ever under: unfair, HSA.weak, HSA.strong.
//
// Mapping random:0: the workgroups of an instance are chosen at random (seed 0).
// 100 instances of 3 threads.
//
// Target hip: a workgroup is a block of one thread. Every access to memory is an atomic read-modify-write,
// sequentially consistent in the scope of the device. README.md says how to build, run and read this.

#include "litmus.h"

#include <hip/hip_runtime.h>

namespace {

__device__ unsigned exchange(unsigned* word, unsigned value) {
    return __hip_atomic_exchange(word, value, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_AGENT);
}

__device__ unsigned add(unsigned* word, unsigned value) {
    return __hip_atomic_fetch_add(word, value, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_AGENT);
}

// The flag is in memory of the host.
__device__ void finish(unsigned* flag) {
    __hip_atomic_store(flag, 1, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM);
}

constexpr unsigned stopped = ~0U;  // what the last step of a thread returns

// One step of a thread at location pc, on the memory of its instance; returns the location it goes to.
__device__ unsigned take_step(unsigned thread, unsigned pc, unsigned* memory, unsigned* finished) {
    switch (thread) {
    case 0u:  // thread 0
        switch (pc) {
        case 0u:  // if (Exch(Mem[0],1) == 1) goto 0;
            return exchange(memory + 0, 1u) == 1u ? 0u : 1u;
        case 1u:  // Mem[0] = 0;
            exchange(memory + 0, 0u);
            return 2u;
        default:  // END
            finish(finished + 0);
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
            finish(finished + 1);
            return stopped;
        }
    default:  // thread 2
        switch (pc) {
        case 0u:  // if (Mem[1] == 0) goto 0;
            return add(memory + 1, 0u) == 0u ? 0u : 1u;
        default:  // END
            finish(finished + 2);
            return stopped;
        }
    }
}

__global__ void run(unsigned* memory, unsigned* finished) {
    const unsigned workgroup = blockIdx.x;
    const unsigned lane = workgroup % 3u;
    const unsigned factor = lane == 0u ? 77u : lane == 1u ? 47u : 21u;
    const unsigned shift = lane == 0u ? 57u : lane == 1u ? 65u : 62u;
    const unsigned instance = (workgroup / 3u * factor + shift) % 100u;
    const unsigned lower_0 = (instance * 13u + 59u) % 100u * 3u < workgroup ? 1u : 0u;
    const unsigned lower_1 = (instance * 83u + 5u) % 100u * 3u + 1u < workgroup ? 1u : 0u;
    const unsigned lower_2 = (instance * 81u + 78u) % 100u * 3u + 2u < workgroup ? 1u : 0u;
    const unsigned thread = lower_0 + lower_1 + lower_2;
    memory += instance * 2u;
    finished += instance * 3u;
    unsigned pc = 0;
    while (pc != stopped) {
        pc = take_step(thread, pc, memory, finished);
    }
}

void check(hipError_t code, const char* what) {
    if (code != hipSuccess) {
        litmus_fail("%s: %s", what, hipGetErrorString(code));
    }
}

void describe() {
    int driver = 0;
    check(hipDriverGetVersion(&driver), "driver");
    hipDeviceProp_t properties;
    check(hipGetDeviceProperties(&properties, static_cast<int>(litmus_device)), "device");
    char all[LITMUS_LONGEST_DRIVER];
    snprintf(all, sizeof all, "%.80s, %.80s, HIP driver %d, compiled by HIP %d.%d", properties.name,
             properties.gcnArchName, driver, HIP_VERSION_MAJOR, HIP_VERSION_MINOR);
    litmus_ready(all);
}

// Runs a test, in a process of its own. The flags of threads that have finished are in memory that the parent shares.
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
    check(hipHostRegister(litmus_finished, litmus_flag_bytes(test), hipHostRegisterMapped), "flags");
    check(hipHostGetDevicePointer(&flags, litmus_finished, 0), "flags");
    // A kernel is loaded, or even compiled, when it is first asked for: here, or that would count for the time-out.
    hipFuncAttributes attributes;
    check(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)), "kernel");
    describe();
    while (litmus_next(test)) {
        check(hipMemset(memory, 0, bytes), "memory");
        kernel<<<litmus_workgroups(test), 1>>>(memory, static_cast<unsigned*>(flags));
        check(hipGetLastError(), "launch");
        check(hipDeviceSynchronize(), "end of the launch");
    }
}

// id, name, mapping, threads, instances, workgroups that stress, words of memory, how to run it
const litmus_test tests[] = {
    {"01100002-00_01012-10_0", "a lock, and news of it", "random:0", 3, 100, 0, 200, run_test<run>},
};

}  // namespace

int main(int argc, char** argv) {
    return litmus_main(argc, argv, "hip", tests, sizeof tests / sizeof tests[0]);
}
