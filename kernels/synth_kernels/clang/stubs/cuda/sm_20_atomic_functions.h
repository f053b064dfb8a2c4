/* What kernels need of sm_20_atomic_functions.h is in synth_cuda.h. */
