/* What kernels need of hip/device_functions.h is in synth_cuda.h. */
