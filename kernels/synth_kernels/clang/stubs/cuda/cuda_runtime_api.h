/* What kernels need of this is in synth_cuda.h. */
