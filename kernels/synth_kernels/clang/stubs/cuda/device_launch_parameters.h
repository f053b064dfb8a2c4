/* What kernels need of device_launch_parameters.h is in synth_cuda.h. */
