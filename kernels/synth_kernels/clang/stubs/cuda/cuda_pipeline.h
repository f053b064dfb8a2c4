/* Asynchronous copies, which are not supported. */
#ifndef SYNTH_CUDA_PIPELINE_H
#define SYNTH_CUDA_PIPELINE_H
SYNTH_HERE void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0) { __synth_copies(); }
SYNTH_HERE void __pipeline_commit() { __synth_copies(); }
SYNTH_HERE void __pipeline_wait_prior(size_t) { __synth_copies(); }
#endif
