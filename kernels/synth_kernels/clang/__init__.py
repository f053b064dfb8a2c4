"""Read kernels in OpenCL C and CUDA: clang makes LLVM IR of them, and this package makes typed programs of that.

`toolchain` finds the compiler. `compilation` runs it, and the passes that inline calls and keep variables in registers.
For CUDA and HIP, `cuda` says how, and `stubs` has headers of our own.
`ir` says what LLVM IR consists of, `parser` reads it, and `layout` knows how many bytes things have. `pointers` finds
the arrays to which each pointer may point. `translation` goes through a kernel; `emitter` collects what it makes,
`arithmetic`, `memory` and `calls` translate instructions, and `places` knows where these stand in the source.
"""
