/* What kernels need of vector_functions.h is in synth_cuda.h. */
