/* A program that launches two kernels on the first device, as users of OpenCL do. With an argument, it fails at the end. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const SOURCE =
    "__kernel void shift(__global int *a, __local int *t, int by, ulong wide, float4 f) {\n"
    "    int i = get_global_id(0);\n"
    "    t[get_local_id(0)] = (int)wide + (int)f.y;\n"
    "    a[i * WIDTH] = a[i * WIDTH + by] + t[get_local_id(0)];\n"
    "}\n"
    "__kernel void add(__global int *a, __global const int *b, int n) {\n"
    "    if (get_global_id(0) < n)\n"
    "        a[get_global_id(0)] += b[get_global_id(0)];\n"
    "}\n";

#define DO(call)                                                                                                       \
    do {                                                                                                               \
        cl_int status = call;                                                                                          \
        if (status != CL_SUCCESS) {                                                                                    \
            fprintf(stderr, "%s: %d\n", #call, (int)status);                                                           \
            exit(9);                                                                                                   \
        }                                                                                                              \
    } while (0)

int main(int count, char **words)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int by = 1, n = 60;
    cl_ulong wide = 1234605616436508552;
    cl_float4 f = {{1, 2, 3, 4}};
    size_t threads = 64, local = 16, half = 32;
    DO(clGetPlatformIDs(1, &platform, NULL));
    DO(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, (const char **)&SOURCE, NULL, NULL);
    DO(clBuildProgram(program, 1, &device, "-DWIDTH=2 -cl-std=CL1.2", NULL, NULL));
    cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, 516, NULL, NULL);
    cl_mem b = clCreateBuffer(context, CL_MEM_READ_WRITE, 512, NULL, NULL);
    cl_kernel shift = clCreateKernel(program, "shift", NULL), add = clCreateKernel(program, "add", NULL);
    DO(clSetKernelArg(shift, 0, sizeof a, &a));
    DO(clSetKernelArg(shift, 1, local * sizeof by, NULL));
    DO(clSetKernelArg(shift, 2, sizeof by, &by));
    DO(clSetKernelArg(shift, 3, sizeof wide, &wide));
    DO(clSetKernelArg(shift, 4, sizeof f, &f));
    DO(clSetKernelArg(add, 0, sizeof a, &a));
    DO(clSetKernelArg(add, 1, sizeof b, &b));
    DO(clSetKernelArg(add, 2, sizeof n, &n));
    for (int i = 0; i < 3; i++)
        DO(clEnqueueNDRangeKernel(queue, shift, 1, NULL, &threads, &local, 0, NULL, NULL));
    DO(clEnqueueNDRangeKernel(queue, add, 1, &half, &threads, NULL, 0, NULL, NULL));
    DO(clFinish(queue));
    (void)words;
    return count > 1 ? 7 : 0;
}
