// Runs the kernels of this folder, from this folder, on an OpenCL device; README.md says more.

#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif

#include "tests.h"

enum { MOST_PLATFORMS = 16, MOST_DEVICES = 64, MOST_TEXT = 200 };
// Of later versions and extensions, which the headers of not every system have: CL_PLATFORM_NOT_FOUND_KHR,
// CL_DEVICE_UUID_KHR, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, and of these what the kernels need for ordered atomics;
// CL_DEVICE_MAX_NUM_SUB_GROUPS, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, CL_DEVICE_WARP_SIZE_NV,
// CL_DEVICE_WAVEFRONT_WIDTH_AMD.
enum { SUBGROUPS = 0x105C, SUBGROUP_SIZE = 0x2033, WARP_SIZE = 0x4003, WAVEFRONT_WIDTH = 0x4043 };
enum { NO_PLATFORM = -1001, DEVICE_UUID = 0x106A, ATOMICS = 0x1063, SEQ_CST_ON_DEVICE = 1 << 2 | 1 << 5 };

static void check(cl_int code, const char* what) {
    if (code == CL_DEVICE_NOT_AVAILABLE) {
        litmus_lose("CL_DEVICE_NOT_AVAILABLE", what);
    }
    if (code != CL_SUCCESS) {
        litmus_fail("%s: OpenCL error %d", what, code);
    }
}

// The end of a launch. OpenCL has no code for a device that was reset. After a launch that could begin, these codes are
// what drivers say when a watchdog has ended it.
static void check_end(cl_int code) {
    if (code == CL_OUT_OF_RESOURCES) {
        litmus_lose("CL_OUT_OF_RESOURCES", "end of the launch");
    }
    if (code == CL_INVALID_COMMAND_QUEUE) {
        litmus_lose("CL_INVALID_COMMAND_QUEUE", "end of the launch");
    }
    check(code, "end of the launch");
}

// The devices of all platforms are counted from 0, in the order in which the system has them.
static cl_device_id chosen_device(void) {
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint platform_count = 0;
    unsigned before = 0;
    const cl_int code = clGetPlatformIDs(MOST_PLATFORMS, platforms, &platform_count);
    if (code == NO_PLATFORM || (code == CL_SUCCESS && platform_count == 0)) {
        litmus_fail("found no OpenCL driver");
    }
    check(code, "platforms");
    for (cl_uint k = 0; k < platform_count && k < MOST_PLATFORMS; ++k) {
        cl_device_id devices[MOST_DEVICES];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, MOST_DEVICES, devices, &count) != CL_SUCCESS) {
            continue;  // a platform without devices
        }
        if (litmus_device - before < count) {
            return devices[litmus_device - before];
        }
        before += count;
    }
    if (before == 0) {
        litmus_fail("found no OpenCL device");
    }
    litmus_fail("--device: found %u, expected a number below %u, which is how many there are", litmus_device, before);
    return NULL;
}

static char* text_of(const char* file) {
    FILE* const source = fopen(file, "rb");
    if (source == NULL || fseek(source, 0, SEEK_END) != 0) {
        litmus_fail("%s: %s", file, strerror(errno));
    }
    const long size = ftell(source);
    char* const text = (char*)calloc((size_t)size + 1, 1);
    rewind(source);
    if (text == NULL || fread(text, 1, (size_t)size, source) != (size_t)size) {
        litmus_fail("%s: can't be read", file);
    }
    fclose(source);
    return text;
}

// The newest language the device has: its atomics have an order.
static const char* language_of(cl_device_id device) {
    char version[MOST_TEXT] = "";
    check(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL), "version");
    const char major = version[strlen("OpenCL ")];
    return major >= '3' ? "-cl-std=CL3.0" : major == '2' ? "-cl-std=CL2.0" : "-cl-std=CL1.2";
}

// What the kernels do with this language: OpenCL C 3.0 has ordered atomics where the device has them.
static const char* order_of(cl_device_id device) {
    const char* const language = language_of(device);
    cl_bitfield atomics = 0;
    if (strcmp(language, "-cl-std=CL3.0") == 0) {
        check(clGetDeviceInfo(device, ATOMICS, sizeof atomics, &atomics, NULL), "atomics");
    } else if (strcmp(language, "-cl-std=CL2.0") == 0) {
        atomics = SEQ_CST_ON_DEVICE;
    }
    return (atomics & SEQ_CST_ON_DEVICE) == SEQ_CST_ON_DEVICE ? "seq_cst device" : "relaxed device";
}

static cl_kernel built_kernel(cl_context context, cl_device_id device, const char* file, const char* name) {
    cl_int code;
    char* const text = text_of(file);
    const cl_program program = clCreateProgramWithSource(context, 1, (const char**)&text, NULL, &code);
    check(code, file);
    if (clBuildProgram(program, 1, &device, language_of(device), NULL, NULL) != CL_SUCCESS) {
        char log[4096] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        litmus_fail("%s: can't be built: %s", file, log);
    }
    const cl_kernel kernel = clCreateKernel(program, name, &code);
    if (code != CL_SUCCESS) {
        litmus_fail("%s: found no kernel %s (OpenCL error %d)", file, name, code);
    }
    free(text);
    return kernel;
}

// How many threads a subgroup of a launch has; 0 if the device has no subgroups or does not tell. NVIDIA and AMD have
// words of their own for that.
static unsigned subgroup_size(cl_platform_id platform, cl_device_id device, cl_kernel kernel, size_t width) {
    typedef cl_int(CL_API_CALL * question)(cl_kernel, cl_device_id, cl_uint, size_t, const void*, size_t, void*,
                                           size_t*);
    cl_uint found = 0;
    size_t size = 0;
    if (clGetDeviceInfo(device, WARP_SIZE, sizeof found, &found, NULL) == CL_SUCCESS ||
        clGetDeviceInfo(device, WAVEFRONT_WIDTH, sizeof found, &found, NULL) == CL_SUCCESS) {
        return found;
    }
    if (clGetDeviceInfo(device, SUBGROUPS, sizeof found, &found, NULL) != CL_SUCCESS || found == 0) {
        return 0;
    }
    const question ask = (question)clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR");
    if (ask == NULL ||
        ask(kernel, device, SUBGROUP_SIZE, sizeof width, &width, sizeof size, &size, NULL) != CL_SUCCESS) {
        return 0;
    }
    return (unsigned)size;
}

static void check_subgroup(const struct litmus_test* test, unsigned size) {
    if (size > 0) {
        litmus_check_subgroup(test, size);
    } else if (test->apart > 1) {
        litmus_fail("mapping %s: this device does not tell how many threads a subgroup has", test->mapping);
    }
}

static void describe(const struct litmus_test* test, cl_device_id device, cl_kernel kernel) {
    char name[MOST_TEXT] = "", version[MOST_TEXT] = "", driver[MOST_TEXT] = "", all[LITMUS_LONGEST_DRIVER];
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "name");
    check(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL), "version");
    check(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL), "driver");
    char vendor[MOST_TEXT] = "", platform_name[MOST_TEXT] = "";
    cl_platform_id platform;
    cl_uint vendor_id = 0;
    check(clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof vendor, vendor, NULL), "vendor");
    check(clGetDeviceInfo(device, CL_DEVICE_VENDOR_ID, sizeof vendor_id, &vendor_id, NULL), "vendor");
    check(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL), "platform");
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name, NULL), "platform");
    litmus_fact("name", "%s", name);
    litmus_fact("vendor", "%s", vendor);
    litmus_fact("vendor_id", "0x%04x", vendor_id);
    unsigned char uuid[16];
    if (clGetDeviceInfo(device, DEVICE_UUID, sizeof uuid, uuid, NULL) == CL_SUCCESS) {
        litmus_fact_uuid(uuid);
    }
    litmus_fact("driver", "%s", platform_name);
    litmus_fact("driver_version", "%s", driver);
    litmus_fact("api", "%s", version);
    cl_bool is_unified = CL_FALSE;
    check(clGetDeviceInfo(device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof is_unified, &is_unified, NULL), "memory");
    check_subgroup(test, subgroup_size(platform, device, kernel, test->width));
    litmus_told->sees_flags = is_unified == CL_TRUE;
    litmus_told->order = order_of(device);
    snprintf(all, sizeof all, "%.80s, %.80s, driver %.80s", name, version, driver);
    litmus_ready(all);
}

// Runs a test, in a process of its own. The flags are in memory that the parent shares: a device that works on that
// memory tells of a launch that hangs, too.
static void run_test(const struct litmus_test* test) {
    const cl_device_id device = chosen_device();
    const size_t size_of_one = test->width, launched = test->workgroups * size_of_one;
    const size_t memory_bytes = sizeof(cl_uint) * test->words, flag_bytes = litmus_flag_bytes(test);
    const cl_uint zero = 0;
    cl_int code;
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "context");
    const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "queue");
    const cl_kernel kernel = built_kernel(context, device, kernels[test - tests].file, kernels[test - tests].name);
    const cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, memory_bytes, NULL, &code);
    check(code, "memory");
    const cl_mem_flags shared = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    const cl_mem flags = clCreateBuffer(context, shared, flag_bytes, litmus_flags, &code);
    check(code, "flags");
    check(clSetKernelArg(kernel, 0, sizeof memory, &memory), "first argument");
    check(clSetKernelArg(kernel, 1, sizeof flags, &flags), "second argument");

    describe(test, device, kernel);
    for (;;) {
        // The flags are ours from here to the unmapping, whatever was launched before has ended.
        void* const mapped =
            clEnqueueMapBuffer(queue, flags, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, flag_bytes, 0, NULL, NULL, &code);
        check_end(code);
        if (!litmus_next(test)) {
            return;
        }
        check(clEnqueueUnmapMemObject(queue, flags, mapped, 0, NULL, NULL), "flags");
        check(clEnqueueFillBuffer(queue, memory, &zero, sizeof zero, 0, memory_bytes, 0, NULL, NULL), "memory");
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &launched, &size_of_one, 0, NULL, NULL), "launch");
        check(clFlush(queue), "launch");
    }
}

int main(int argc, char** argv) {
    // The order of accesses, and whether flags can be read while a launch runs, depend on the device.
    static const struct litmus_program program = {"opencl", "1.2.3", "", 1, "add:256:1:1024"};
    return litmus_main(argc, argv, &program, tests, sizeof tests / sizeof tests[0]);
}
