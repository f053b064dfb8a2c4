/* What CUDA and HIP have without any header, as far as kernels need it. Clang reads this file before each source.

   What begins with __synth_ has no body: calls/cuda.py says what it does to memory. */
#ifndef SYNTH_CUDA_H
#define SYNTH_CUDA_H

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __restrict __restrict__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))

#define SYNTH_BOTH __host__ __device__ inline __attribute__((always_inline))
#define SYNTH_HERE __device__ inline __attribute__((always_inline))

/* Functions of the C library that kernels call are functions of the device, too. */
#pragma clang force_cuda_host_device begin
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#pragma clang force_cuda_host_device end
#include <float.h>
#include <limits.h>
#include <stdio.h>
#include <sys/types.h>

/* --- vectors --- */

#define SYNTH_VECTOR(T, NAME, ALIGN1, ALIGN2, ALIGN4)                                                         \
    struct NAME##1 { T x; };                                                                                  \
    struct __attribute__((aligned(ALIGN2))) NAME##2 { T x, y; };                                              \
    struct NAME##3 { T x, y, z; };                                                                            \
    struct __attribute__((aligned(ALIGN4))) NAME##4 { T x, y, z, w; };                                        \
    SYNTH_BOTH NAME##1 make_##NAME##1(T x) { return {x}; }                                                    \
    SYNTH_BOTH NAME##2 make_##NAME##2(T x, T y) { return {x, y}; }                                            \
    SYNTH_BOTH NAME##3 make_##NAME##3(T x, T y, T z) { return {x, y, z}; }                                    \
    SYNTH_BOTH NAME##4 make_##NAME##4(T x, T y, T z, T w) { return {x, y, z, w}; }
SYNTH_VECTOR(signed char, char, 1, 2, 4)
SYNTH_VECTOR(unsigned char, uchar, 1, 2, 4)
SYNTH_VECTOR(short, short, 2, 4, 8)
SYNTH_VECTOR(unsigned short, ushort, 2, 4, 8)
SYNTH_VECTOR(int, int, 4, 8, 16)
SYNTH_VECTOR(unsigned int, uint, 4, 8, 16)
SYNTH_VECTOR(long, long, 8, 16, 16)
SYNTH_VECTOR(unsigned long, ulong, 8, 16, 16)
SYNTH_VECTOR(long long, longlong, 8, 16, 16)
SYNTH_VECTOR(unsigned long long, ulonglong, 8, 16, 16)
SYNTH_VECTOR(float, float, 4, 8, 16)
SYNTH_VECTOR(double, double, 8, 16, 16)
#undef SYNTH_VECTOR

struct dim3 {
    unsigned x, y, z;
    SYNTH_BOTH constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    SYNTH_BOTH constexpr dim3(uint3 of) : x(of.x), y(of.y), z(of.z) {}
    SYNTH_BOTH constexpr operator uint3() const { return {x, y, z}; }
};

/* --- ids --- */

extern "C" {
__device__ __attribute__((const)) unsigned __synth_local_id(unsigned dimension);
__device__ __attribute__((const)) unsigned __synth_group_id(unsigned dimension);
__device__ __attribute__((const)) unsigned __synth_local_size(unsigned dimension);
__device__ __attribute__((const)) unsigned __synth_num_groups(unsigned dimension);
__host__ __device__ __attribute__((const)) int __synth_warp_size(void);
}

#define SYNTH_IDS(NAME, FUNCTION)                                                                             \
    struct NAME {                                                                                             \
        __declspec(property(get = get_x)) unsigned x;                                                         \
        __declspec(property(get = get_y)) unsigned y;                                                         \
        __declspec(property(get = get_z)) unsigned z;                                                         \
        static SYNTH_HERE unsigned get_x() { return FUNCTION(0); }                                            \
        static SYNTH_HERE unsigned get_y() { return FUNCTION(1); }                                            \
        static SYNTH_HERE unsigned get_z() { return FUNCTION(2); }                                            \
        SYNTH_HERE operator dim3() const { return dim3(FUNCTION(0), FUNCTION(1), FUNCTION(2)); }              \
        SYNTH_HERE operator uint3() const { return {FUNCTION(0), FUNCTION(1), FUNCTION(2)}; }                 \
    };
SYNTH_IDS(__synth_local_ids, __synth_local_id)
SYNTH_IDS(__synth_group_ids, __synth_group_id)
SYNTH_IDS(__synth_local_sizes, __synth_local_size)
SYNTH_IDS(__synth_all_groups, __synth_num_groups)
#undef SYNTH_IDS
extern const __device__ __synth_local_ids threadIdx;
extern const __device__ __synth_group_ids blockIdx;
extern const __device__ __synth_local_sizes blockDim;
extern const __device__ __synth_all_groups gridDim;

/* --- barriers and fences --- */

extern "C" {
__device__ void __synth_barrier(void);
__device__ void __synth_grid_barrier(void);
__device__ int __synth_barrier_with(int value);
__device__ void __synth_own_barrier(void);
__device__ void __synth_warp_barrier(void);
__device__ void __synth_subgroup_barrier(unsigned long long mask);
__device__ void __synth_tile_barrier(void);
__device__ void __synth_group_barrier(bool is_block);
__device__ void __synth_copies(void);
__device__ void __synth_objects(void);
__host__ __device__ void __synth_assert(bool holds);
__host__ void __synth_host_only(void);
}
template <class T> __device__ T __synth_any();
/* What depends on which lanes of a warp run together. That is up to the compiler. */
template <class T> __device__ T __synth_of_lanes();
/* What the lanes of a mask tell each other. */
template <class T> __device__ T __synth_asked(unsigned long long mask);

/* Clang has a function of this name, which becomes one of LLVM's. */
#define __syncthreads() __synth_barrier()
#ifdef SYNTH_RUNS
/* The launch is run, so the threads must tell each other what they give. SYNTH_RUNS is the size of a warp. */
/* Inline assembly asks for the number of a lane, too. */
extern "C" __device__ __attribute__((used)) const int __synth_warp = SYNTH_RUNS;
SYNTH_HERE unsigned __synth_threads() { return blockDim.x * blockDim.y * blockDim.z; }
SYNTH_HERE unsigned __synth_thread() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
SYNTH_HERE int __syncthreads_count(int value) {
    static __shared__ bool given[1024];
    given[__synth_thread()] = value != 0;
    __synth_own_barrier();
    int count = 0;
    for (unsigned thread = 0; thread < __synth_threads(); ++thread) count += given[thread];
    __synth_own_barrier();
    return count;
}
SYNTH_HERE int __syncthreads_and(int value) { return __syncthreads_count(!value) == 0; }
SYNTH_HERE int __syncthreads_or(int value) { return __syncthreads_count(value) != 0; }
#else
SYNTH_HERE int __syncthreads_and(int value) { return __synth_barrier_with(value); }
SYNTH_HERE int __syncthreads_or(int value) { return __synth_barrier_with(value); }
SYNTH_HERE int __syncthreads_count(int value) { return __synth_barrier_with(value); }
#endif
#ifdef SYNTH_RUNS
SYNTH_HERE unsigned __synth_first_lane() { return __synth_thread() / SYNTH_RUNS * SYNTH_RUNS; }
SYNTH_HERE unsigned __synth_lanes() {
    const unsigned rest = __synth_threads() - __synth_first_lane();
    return rest < SYNTH_RUNS ? rest : SYNTH_RUNS;
}
/* The lanes of a mask meet here, as far as they have not ended. */
SYNTH_HERE void __syncwarp(unsigned long long mask = ~0ull) { __synth_subgroup_barrier(mask); }
#else
SYNTH_HERE void __syncwarp(unsigned = ~0u) { __synth_warp_barrier(); }
#endif
SYNTH_HERE void __threadfence() {}
SYNTH_HERE void __threadfence_block() {}
SYNTH_HERE void __threadfence_system() {}

/* --- atomics: each returns what was there before. The scope is a number of libcu++ (thread_scope), or 4 for a warp --- */

extern "C" __device__ bool __synth_succeeds(void);
template <class T> __device__ T __synth_atomic_load(const volatile T *where, int scope = 0);
template <class T>
__device__ T __synth_atomic_compare_exchange(volatile T *where, T expected, T value, int scope = 0);
#define SYNTH_OPERATION(NAME)                                                                                 \
    template <class T> __device__ T __synth_atomic_##NAME(volatile T *where, T value, int scope = 0);
SYNTH_OPERATION(store)
SYNTH_OPERATION(exchange)
SYNTH_OPERATION(add)
SYNTH_OPERATION(sub)
SYNTH_OPERATION(and)
SYNTH_OPERATION(or)
SYNTH_OPERATION(xor)
SYNTH_OPERATION(min)
SYNTH_OPERATION(max)
SYNTH_OPERATION(inc)
SYNTH_OPERATION(dec)
#undef SYNTH_OPERATION

#define SYNTH_ATOMIC(NAME, OPERATION, T)                                                                      \
    SYNTH_HERE T NAME(T *where, T value) { return __synth_atomic_##OPERATION(where, value); }                 \
    SYNTH_HERE T NAME##_block(T *where, T value) { return __synth_atomic_##OPERATION(where, value, 2); }      \
    SYNTH_HERE T NAME##_system(T *where, T value) { return __synth_atomic_##OPERATION(where, value); }
#define SYNTH_SWAP(NAME, T, SCOPE)                                                                            \
    SYNTH_HERE T NAME(T *where, T old, T value) {                                                             \
        return __synth_atomic_compare_exchange(where, old, value, SCOPE);                                     \
    }
#define SYNTH_SWAPS(T)                                                                                        \
    SYNTH_SWAP(atomicCAS, T, 1)                                                                               \
    SYNTH_SWAP(atomicCAS_block, T, 2)                                                                         \
    SYNTH_SWAP(atomicCAS_system, T, 0)
#define SYNTH_ATOMICS(T)                                                                                      \
    SYNTH_ATOMIC(atomicAdd, add, T)                                                                           \
    SYNTH_ATOMIC(atomicSub, sub, T)                                                                           \
    SYNTH_ATOMIC(atomicExch, exchange, T)                                                                     \
    SYNTH_ATOMIC(atomicMin, min, T)                                                                           \
    SYNTH_ATOMIC(atomicMax, max, T)                                                                           \
    SYNTH_ATOMIC(atomicAnd, and, T)                                                                           \
    SYNTH_ATOMIC(atomicOr, or, T)                                                                             \
    SYNTH_ATOMIC(atomicXor, xor, T)                                                                           \
    SYNTH_SWAPS(T)
SYNTH_ATOMICS(int)
SYNTH_ATOMICS(unsigned)
SYNTH_ATOMICS(long long)
SYNTH_ATOMICS(unsigned long long)
SYNTH_ATOMICS(unsigned long)
SYNTH_SWAPS(unsigned short)
SYNTH_ATOMIC(atomicInc, inc, unsigned)
SYNTH_ATOMIC(atomicDec, dec, unsigned)
#define SYNTH_ATOMICS_OF_FLOATS(T)                                                                            \
    SYNTH_ATOMIC(atomicAdd, add, T)                                                                           \
    SYNTH_ATOMIC(unsafeAtomicAdd, add, T)                                                                     \
    SYNTH_ATOMIC(atomicExch, exchange, T)                                                                     \
    SYNTH_ATOMIC(atomicMin, min, T)                                                                           \
    SYNTH_ATOMIC(atomicMax, max, T)
SYNTH_ATOMICS_OF_FLOATS(float)
SYNTH_ATOMICS_OF_FLOATS(double)
#undef SYNTH_ATOMICS_OF_FLOATS
#undef SYNTH_ATOMICS
#undef SYNTH_SWAPS
#undef SYNTH_SWAP
#undef SYNTH_ATOMIC

#ifdef __HIPCC__
/* Clang has these as functions of its own, which leave out the scope where the target has none. */
#define SYNTH_SCOPE(SCOPE)                                                                                    \
    ((SCOPE) == __HIP_MEMORY_SCOPE_SINGLETHREAD   ? 3                                                         \
     : (SCOPE) == __HIP_MEMORY_SCOPE_WAVEFRONT ? 4                                                            \
     : (SCOPE) == __HIP_MEMORY_SCOPE_WORKGROUP ? 2                                                            \
                                               : 1)
#define __hip_atomic_load(where, order, scope) __synth_atomic_load(where, SYNTH_SCOPE(scope))
#define SYNTH_OF_HIP(NAME)                                                                                    \
    template <class T, class Value> SYNTH_HERE T __synth_hip_##NAME(volatile T *where, Value value, int scope) { \
        return __synth_atomic_##NAME(where, (T)value, scope);                                                 \
    }
SYNTH_OF_HIP(store)
SYNTH_OF_HIP(exchange)
SYNTH_OF_HIP(add)
SYNTH_OF_HIP(sub)
SYNTH_OF_HIP(and)
SYNTH_OF_HIP(or)
SYNTH_OF_HIP(xor)
SYNTH_OF_HIP(min)
SYNTH_OF_HIP(max)
#undef SYNTH_OF_HIP
template <class T, class Value>
SYNTH_HERE bool __synth_hip_swap(volatile T *where, T *expected, Value value, bool succeeds, int scope) {
    const T old = __synth_atomic_compare_exchange(where, *expected, (T)value, scope);
    const bool is_equal = old == *expected;
    *expected = old;
    return succeeds & is_equal;
}
#define __hip_atomic_store(where, value, order, scope) (void)__synth_hip_store(where, value, SYNTH_SCOPE(scope))
#define __hip_atomic_exchange(where, value, order, scope) __synth_hip_exchange(where, value, SYNTH_SCOPE(scope))
#define __hip_atomic_fetch_add(where, value, order, scope) __synth_hip_add(where, value, SYNTH_SCOPE(scope))
#define __hip_atomic_fetch_sub(where, value, order, scope) __synth_hip_sub(where, value, SYNTH_SCOPE(scope))
#define __hip_atomic_fetch_and(where, value, order, scope) __synth_hip_and(where, value, SYNTH_SCOPE(scope))
#define __hip_atomic_fetch_or(where, value, order, scope) __synth_hip_or(where, value, SYNTH_SCOPE(scope))
#define __hip_atomic_fetch_xor(where, value, order, scope) __synth_hip_xor(where, value, SYNTH_SCOPE(scope))
#define __hip_atomic_fetch_min(where, value, order, scope) __synth_hip_min(where, value, SYNTH_SCOPE(scope))
#define __hip_atomic_fetch_max(where, value, order, scope) __synth_hip_max(where, value, SYNTH_SCOPE(scope))
#define __hip_atomic_compare_exchange_strong(where, expected, value, order, failing, scope) \
    __synth_hip_swap(where, expected, value, true, SYNTH_SCOPE(scope))
#define __hip_atomic_compare_exchange_weak(where, expected, value, order, failing, scope) \
    __synth_hip_swap(where, expected, value, __synth_succeeds(), SYNTH_SCOPE(scope))
#endif

/* --- threads of a warp: what they tell each other is arbitrary --- */

#ifdef __HIPCC__
struct __synth_size_of_warp {
    SYNTH_BOTH operator int() const { return __synth_warp_size(); }
};
extern const __device__ __synth_size_of_warp warpSize;
#else
#ifdef SYNTH_RUNS
constexpr int warpSize = SYNTH_RUNS;
#else
constexpr int warpSize = 32;
#endif
#endif
#ifdef SYNTH_RUNS
/* What a lane gives. The lanes of a mask ask together. What a lane gives that is not among them is not defined. */
template <class T> SYNTH_HERE T __synth_given(unsigned long long mask, T value, int lane, bool is_there) {
    static __shared__ T given[1024];
    given[__synth_thread()] = value;
    __synth_subgroup_barrier(mask);
    T found;
    if (!is_there || lane < 0 || lane >= (int)__synth_lanes()) {
        found = value;
    } else if (mask >> lane & 1) {
        found = given[__synth_first_lane() + lane];
    }
    __synth_subgroup_barrier(mask);
    given[__synth_thread()] = T();
    return found;
}
SYNTH_HERE int __synth_lane() { return __synth_thread() - __synth_first_lane(); }
/* Whether two lanes are in one segment of so many lanes. */
SYNTH_HERE bool __synth_near(int lane, int width) { return lane >= 0 && lane / width == __synth_lane() / width; }
template <class T> SYNTH_HERE T __shfl_sync(unsigned long long mask, T value, int from, int width = SYNTH_RUNS) {
    return __synth_given(mask, value, __synth_lane() / width * width + (from & (width - 1)), true);
}
template <class T> SYNTH_HERE T __shfl_up_sync(unsigned long long mask, T value, unsigned by, int width = SYNTH_RUNS) {
    return __synth_given(mask, value, __synth_lane() - (int)by, __synth_near(__synth_lane() - (int)by, width));
}
template <class T> SYNTH_HERE T __shfl_down_sync(unsigned long long mask, T value, unsigned by, int width = SYNTH_RUNS) {
    return __synth_given(mask, value, __synth_lane() + (int)by, __synth_near(__synth_lane() + (int)by, width));
}
template <class T> SYNTH_HERE T __shfl_xor_sync(unsigned long long mask, T value, int with, int width = SYNTH_RUNS) {
    const int lane = __synth_lane() ^ with;
    return __synth_given(mask, value, lane, lane / width <= __synth_lane() / width);
}
#else
template <class T> SYNTH_HERE T __shfl_sync(unsigned long long mask, T, int, int = 0) { return __synth_asked<T>(mask); }
template <class T> SYNTH_HERE T __shfl_up_sync(unsigned long long mask, T, unsigned, int = 0) { return __synth_asked<T>(mask); }
template <class T> SYNTH_HERE T __shfl_down_sync(unsigned long long mask, T, unsigned, int = 0) { return __synth_asked<T>(mask); }
template <class T> SYNTH_HERE T __shfl_xor_sync(unsigned long long mask, T, int, int = 0) { return __synth_asked<T>(mask); }
#endif
template <class T> SYNTH_HERE T __shfl(T, int, int = 0) { return __synth_of_lanes<T>(); }
template <class T> SYNTH_HERE T __shfl_up(T, unsigned, int = 0) { return __synth_of_lanes<T>(); }
template <class T> SYNTH_HERE T __shfl_down(T, unsigned, int = 0) { return __synth_of_lanes<T>(); }
template <class T> SYNTH_HERE T __shfl_xor(T, int, int = 0) { return __synth_of_lanes<T>(); }
#ifdef SYNTH_RUNS
SYNTH_HERE unsigned long long __synth_ballot(unsigned long long mask, int value) {
    static __shared__ bool given[1024];
    given[__synth_thread()] = value != 0;
    __synth_subgroup_barrier(mask);
    unsigned long long found = 0;
    for (unsigned lane = 0; lane < __synth_lanes(); ++lane) {
        if (mask >> lane & 1) found |= (unsigned long long)given[__synth_first_lane() + lane] << lane;
    }
    __synth_subgroup_barrier(mask);
    given[__synth_thread()] = false;
    return found;
}
template <class T> SYNTH_HERE unsigned __match_any_sync(unsigned mask, T value) {
    static __shared__ T given[1024];
    given[__synth_thread()] = value;
    __synth_subgroup_barrier(mask);
    unsigned found = 0;
    for (unsigned lane = 0; lane < __synth_lanes(); ++lane) {
        if ((mask >> lane & 1) && given[__synth_first_lane() + lane] == value) found |= 1u << lane;
    }
    __synth_subgroup_barrier(mask);
    given[__synth_thread()] = T();
    return found;
}
template <class T> SYNTH_HERE unsigned __match_all_sync(unsigned mask, T value, int *all) {
    *all = __match_any_sync(mask, value) == __synth_ballot(mask, 1);
    return *all ? mask : 0;
}
#define SYNTH_REDUCTION_OF(T, NAME, TOGETHER)                                                                 \
    SYNTH_HERE T NAME(unsigned mask, T value) {                                                               \
        static __shared__ T given[1024];                                                                      \
        given[__synth_thread()] = value;                                                                      \
        __synth_subgroup_barrier(mask);                                                                       \
        T a = value;                                                                                          \
        for (unsigned lane = 0; lane < __synth_lanes(); ++lane) {                                             \
            if ((mask >> lane & 1) == 0 || (int)lane == __synth_lane()) continue;                             \
            const T b = given[__synth_first_lane() + lane];                                                   \
            a = TOGETHER;                                                                                     \
        }                                                                                                     \
        __synth_subgroup_barrier(mask);                                                                       \
        given[__synth_thread()] = T();                                                                        \
        return a;                                                                                             \
    }
#define SYNTH_REDUCTION(NAME, TOGETHER)                                                                       \
    SYNTH_REDUCTION_OF(unsigned, NAME, TOGETHER)                                                              \
    SYNTH_REDUCTION_OF(int, NAME, TOGETHER)
SYNTH_REDUCTION(__reduce_add_sync, a + b)
SYNTH_REDUCTION(__reduce_min_sync, b < a ? b : a)
SYNTH_REDUCTION(__reduce_max_sync, b < a ? a : b)
SYNTH_REDUCTION(__reduce_and_sync, a & b)
SYNTH_REDUCTION(__reduce_or_sync, a | b)
SYNTH_REDUCTION(__reduce_xor_sync, a ^ b)
#undef SYNTH_REDUCTION
#undef SYNTH_REDUCTION_OF
SYNTH_HERE int __all_sync(unsigned long long mask, int value) { return __synth_ballot(mask, !value) == 0; }
SYNTH_HERE int __any_sync(unsigned long long mask, int value) { return __synth_ballot(mask, value) != 0; }
#else
template <class T> SYNTH_HERE unsigned __match_any_sync(unsigned mask, T) { return __synth_asked<unsigned>(mask); }
template <class T> SYNTH_HERE unsigned __match_all_sync(unsigned mask, T, int *all) {
    *all = __synth_asked<int>(mask);
    return __synth_asked<unsigned>(mask);
}
#define SYNTH_REDUCTION(NAME)                                                                                 \
    SYNTH_HERE unsigned NAME(unsigned mask, unsigned) { return __synth_asked<unsigned>(mask); }              \
    SYNTH_HERE int NAME(unsigned mask, int) { return __synth_asked<int>(mask); }
SYNTH_REDUCTION(__reduce_add_sync)
SYNTH_REDUCTION(__reduce_min_sync)
SYNTH_REDUCTION(__reduce_max_sync)
SYNTH_REDUCTION(__reduce_and_sync)
SYNTH_REDUCTION(__reduce_or_sync)
SYNTH_REDUCTION(__reduce_xor_sync)
#undef SYNTH_REDUCTION
SYNTH_HERE int __all_sync(unsigned long long mask, int) { return __synth_asked<int>(mask); }
SYNTH_HERE int __any_sync(unsigned long long mask, int) { return __synth_asked<int>(mask); }
#endif
SYNTH_HERE int __all(int) { return __synth_of_lanes<int>(); }
SYNTH_HERE int __any(int) { return __synth_of_lanes<int>(); }
#ifdef __HIPCC__
SYNTH_HERE unsigned long long __ballot(int) { return __synth_of_lanes<unsigned long long>(); }
#ifdef SYNTH_RUNS
SYNTH_HERE unsigned long long __ballot_sync(unsigned long long mask, int value) { return __synth_ballot(mask, value); }
#else
SYNTH_HERE unsigned long long __ballot_sync(unsigned long long mask, int) {
    return __synth_asked<unsigned long long>(mask);
}
#endif
SYNTH_HERE unsigned long long __activemask() { return __synth_of_lanes<unsigned long long>(); }
#else
SYNTH_HERE unsigned __ballot(int) { return __synth_of_lanes<unsigned>(); }
#ifdef SYNTH_RUNS
SYNTH_HERE unsigned __ballot_sync(unsigned mask, int value) { return __synth_ballot(mask, value); }
#else
SYNTH_HERE unsigned __ballot_sync(unsigned mask, int) { return __synth_asked<unsigned>(mask); }
#endif
SYNTH_HERE unsigned __activemask() { return __synth_of_lanes<unsigned>(); }
#endif
#ifdef SYNTH_RUNS
SYNTH_HERE unsigned __lane_id() { return __synth_lane(); }
#else
SYNTH_HERE unsigned __lane_id() { return __synth_any<unsigned>(); }
#endif
SYNTH_HERE long clock() { return __synth_any<long>(); }
SYNTH_HERE long long clock64() { return __synth_any<long long>(); }
SYNTH_HERE long long wall_clock64() { return __synth_any<long long>(); }
SYNTH_HERE void __nanosleep(unsigned) {}
#define __trap() __builtin_trap()
SYNTH_HERE void __brkpt() {}
SYNTH_HERE void __prof_trigger(int) {}

/* --- loads with a hint --- */

#define SYNTH_LOAD(NAME) template <class T> SYNTH_HERE T NAME(const T *where) { return *where; }
SYNTH_LOAD(__ldg)
SYNTH_LOAD(__ldca)
SYNTH_LOAD(__ldcg)
SYNTH_LOAD(__ldcs)
SYNTH_LOAD(__ldcv)
SYNTH_LOAD(__ldlu)
#undef SYNTH_LOAD
#define SYNTH_STORE(NAME) template <class T> SYNTH_HERE void NAME(T *where, T value) { *where = value; }
SYNTH_STORE(__stcg)
SYNTH_STORE(__stcs)
SYNTH_STORE(__stwb)
SYNTH_STORE(__stwt)
#undef SYNTH_STORE

#include <synth_numbers.h>

__device__ int printf(const char *format, ...);

/* --- textures and surfaces: what they hold is arbitrary --- */

typedef unsigned long long cudaTextureObject_t, hipTextureObject_t;
#define SYNTH_TEXTURE(NAME)                                                                                   \
    template <class T, class... Any> SYNTH_HERE T NAME(unsigned long long, Any...) { return __synth_any<T>(); }
SYNTH_TEXTURE(tex1Dfetch)
SYNTH_TEXTURE(tex1D)
SYNTH_TEXTURE(tex2D)
SYNTH_TEXTURE(tex3D)
SYNTH_TEXTURE(tex1DLayered)
SYNTH_TEXTURE(tex2DLayered)
SYNTH_TEXTURE(tex2DLod)
#undef SYNTH_TEXTURE

#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#else
#include <cuda_runtime.h>
#endif
#endif
