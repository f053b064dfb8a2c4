/* What kernels need of cuda.h is in synth_cuda.h. */
