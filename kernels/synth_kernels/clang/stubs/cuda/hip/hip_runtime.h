/* What HIP has and CUDA has not. */
#ifndef SYNTH_HIP_RUNTIME_H
#define SYNTH_HIP_RUNTIME_H
#define SYNTH_API hip
#include <synth_host.h>
#define hipStreamDefault 0
#define hipStreamPerThread ((hipStream_t)2)

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(name) name
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define hipLaunchKernelGGL(kernel, groups, size, shared, stream, ...) \
    kernel<<<groups, size, shared, stream>>>(__VA_ARGS__)
#endif
