/* What kernels need of math_functions.h is in synth_cuda.h. */
