/* What kernels need of device_atomic_functions.h is in synth_cuda.h. */
