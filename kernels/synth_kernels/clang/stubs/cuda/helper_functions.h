/* What kernels need of helper_functions.h is in synth_cuda.h. */
