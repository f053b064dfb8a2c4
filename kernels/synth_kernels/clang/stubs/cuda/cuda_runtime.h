#ifndef SYNTH_CUDA_RUNTIME_H
#define SYNTH_CUDA_RUNTIME_H
#define SYNTH_API cuda
#include <synth_host.h>
#endif
