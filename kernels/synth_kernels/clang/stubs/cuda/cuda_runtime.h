#ifndef SYNTH_CUDA_RUNTIME_H
#define SYNTH_CUDA_RUNTIME_H
#define SYNTH_API cuda
#include <synth_host.h>
#define cudaStreamDefault 0
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#endif
