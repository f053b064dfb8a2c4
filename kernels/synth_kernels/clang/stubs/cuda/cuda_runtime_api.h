/* What kernels need of cuda_runtime_api.h is in synth_cuda.h. */
