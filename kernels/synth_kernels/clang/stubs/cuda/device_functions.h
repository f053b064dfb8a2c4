/* What kernels need of device_functions.h is in synth_cuda.h. */
