/* What kernels need of driver_types.h is in synth_cuda.h. */
