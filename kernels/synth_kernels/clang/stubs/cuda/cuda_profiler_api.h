/* What kernels need of cuda_profiler_api.h is in synth_cuda.h. */
