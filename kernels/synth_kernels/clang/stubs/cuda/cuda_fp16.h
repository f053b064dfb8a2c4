/* Numbers of 16 bits. */
#ifndef SYNTH_CUDA_FP16_H
#define SYNTH_CUDA_FP16_H
typedef _Float16 __half, half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
};
typedef __half2 half2;
SYNTH_BOTH __half __float2half(float value) { return (__half)value; }
SYNTH_BOTH __half __float2half_rn(float value) { return (__half)value; }
SYNTH_BOTH float __half2float(__half value) { return (float)value; }
SYNTH_BOTH __half2 make_half2(__half x, __half y) { return {x, y}; }
SYNTH_BOTH __half2 __halves2half2(__half x, __half y) { return {x, y}; }
SYNTH_BOTH __half2 __float2half2_rn(float value) { return {(__half)value, (__half)value}; }
SYNTH_BOTH __half2 __floats2half2_rn(float x, float y) { return {(__half)x, (__half)y}; }
SYNTH_BOTH __half __low2half(__half2 of) { return of.x; }
SYNTH_BOTH __half __high2half(__half2 of) { return of.y; }
SYNTH_BOTH float __low2float(__half2 of) { return (float)of.x; }
SYNTH_BOTH float __high2float(__half2 of) { return (float)of.y; }
#define SYNTH_HALVES(NAME, OPERATOR)                                                                          \
    SYNTH_BOTH __half __h##NAME(__half one, __half other) { return one OPERATOR other; }                      \
    SYNTH_BOTH __half2 __h##NAME##2(__half2 one, __half2 other) { return {one.x OPERATOR other.x, one.y OPERATOR other.y}; }
SYNTH_HALVES(add, +)
SYNTH_HALVES(sub, -)
SYNTH_HALVES(mul, *)
SYNTH_HALVES(div, /)
#undef SYNTH_HALVES
SYNTH_BOTH __half __hfma(__half one, __half other, __half more) { return one * other + more; }
SYNTH_BOTH bool __hgt(__half one, __half other) { return one > other; }
SYNTH_BOTH bool __hlt(__half one, __half other) { return one < other; }
SYNTH_BOTH bool __heq(__half one, __half other) { return one == other; }
SYNTH_HERE __half atomicAdd(__half *where, __half value) { return __synth_atomic_add(where, value); }
#endif
