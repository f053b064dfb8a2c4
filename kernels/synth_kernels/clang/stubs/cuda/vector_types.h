/* What kernels need of vector_types.h is in synth_cuda.h. */
