/* What kernels need of helper_cuda.h is in synth_cuda.h. */
