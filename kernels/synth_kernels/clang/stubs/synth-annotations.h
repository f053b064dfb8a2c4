/* Annotations, with GPUVerify's spellings. Before an annotation evaluates its argument, it calls __synth_annotation:
 * so it is known which accesses the annotation makes, and which the kernel.
 *
 * SYNTH_ONLY_REQUIRES leaves only preconditions, and SYNTH_NO_ANNOTATIONS nothing. */
#ifndef SYNTH_ANNOTATIONS_H
#define SYNTH_ANNOTATIONS_H

#if defined(__CUDA__) || defined(__HIP__)
#define SYNTH_WORD extern "C" __attribute__((device))
#else
#define SYNTH_WORD
#endif

SYNTH_WORD void __synth_annotation(void);
#define SYNTH_CLAIM(name, ...) (__synth_annotation(), __synth_claim_##name((bool)(__VA_ARGS__)))
#define SYNTH_CLAIMS(name) \
    SYNTH_WORD void __synth_claim_##name(bool); \
    SYNTH_WORD void __synth_claim_global_##name(bool);
SYNTH_CLAIMS(requires)
SYNTH_CLAIMS(ensures)
SYNTH_CLAIMS(assume)
SYNTH_CLAIMS(assert)
SYNTH_CLAIMS(invariant)
SYNTH_CLAIMS(candidate)
SYNTH_CLAIMS(wide_invariant)
SYNTH_CLAIMS(wide_candidate)
#undef SYNTH_CLAIMS

#ifdef SYNTH_NO_ANNOTATIONS
#define SYNTH_REQUIRES(...) ((void)0)
#else
#define SYNTH_REQUIRES SYNTH_CLAIM
#endif
#if defined(SYNTH_NO_ANNOTATIONS) || defined(SYNTH_ONLY_REQUIRES)
#define SYNTH_OTHER(...) ((void)0)
#else
#define SYNTH_OTHER SYNTH_CLAIM
#endif

#define __requires(...) SYNTH_REQUIRES(requires, __VA_ARGS__)
#define __global_requires(...) SYNTH_REQUIRES(global_requires, __VA_ARGS__)
#define __ensures(...) SYNTH_OTHER(ensures, __VA_ARGS__)
#define __global_ensures(...) SYNTH_OTHER(global_ensures, __VA_ARGS__)
#define __assume(...) SYNTH_OTHER(assume, __VA_ARGS__)
#define __global_assume(...) SYNTH_OTHER(global_assume, __VA_ARGS__)
#define __assert(...) SYNTH_OTHER(assert, __VA_ARGS__)
#define __global_assert(...) SYNTH_OTHER(global_assert, __VA_ARGS__)
#define __invariant(...) SYNTH_OTHER(invariant, __VA_ARGS__)
#define __global_invariant(...) SYNTH_OTHER(global_invariant, __VA_ARGS__)
#define __candidate_invariant(...) SYNTH_OTHER(candidate, __VA_ARGS__)
#define __global_candidate_invariant(...) SYNTH_OTHER(global_candidate, __VA_ARGS__)
#define __candidate_global_invariant(...) SYNTH_OTHER(global_candidate, __VA_ARGS__)
#define __function_wide_invariant(...) SYNTH_OTHER(wide_invariant, __VA_ARGS__)
#define __global_function_wide_invariant(...) SYNTH_OTHER(global_wide_invariant, __VA_ARGS__)
#define __function_wide_candidate_invariant(...) SYNTH_OTHER(wide_candidate, __VA_ARGS__)
#define __global_function_wide_candidate_invariant(...) SYNTH_OTHER(global_wide_candidate, __VA_ARGS__)

/* The threads. */
SYNTH_WORD bool __enabled(void);
SYNTH_WORD bool __same_group(void);
SYNTH_WORD bool __synth_both(bool);
#define __implies(premise, conclusion) (!(premise) || (conclusion))
#define __exclusive(...) (!__synth_both(__VA_ARGS__))
#if !defined(__CUDA__) && !defined(__HIP__)
#define __all(...) __synth_both(__VA_ARGS__) /* CUDA has a function of this name. */
#endif

#define SYNTH_VALUES(type, name) \
    SYNTH_WORD bool __uniform_##name(type); \
    SYNTH_WORD bool __distinct_##name(type); \
    SYNTH_WORD type __other_##name(type); \
    SYNTH_WORD type __old_##name(type); \
    SYNTH_WORD type __return_val_##name(void);
#define SYNTH_INTEGERS(type, name) \
    SYNTH_VALUES(type, name) \
    SYNTH_WORD bool __add_noovfl_##name(type, type);
SYNTH_VALUES(bool, bool)
SYNTH_VALUES(float, float)
SYNTH_VALUES(double, double)
SYNTH_INTEGERS(signed char, char)
SYNTH_INTEGERS(unsigned char, uchar)
SYNTH_INTEGERS(unsigned char, unsigned_char)
SYNTH_INTEGERS(short, short)
SYNTH_INTEGERS(unsigned short, ushort)
SYNTH_INTEGERS(unsigned short, unsigned_short)
SYNTH_INTEGERS(int, int)
SYNTH_INTEGERS(unsigned int, uint)
SYNTH_INTEGERS(unsigned int, unsigned_int)
SYNTH_INTEGERS(long, long)
SYNTH_INTEGERS(unsigned long, ulong)
SYNTH_INTEGERS(unsigned long, unsigned_long)
SYNTH_INTEGERS(__SIZE_TYPE__, size_t)
#undef SYNTH_INTEGERS
#undef SYNTH_VALUES

#define __is_pow2(x) ((((x) & ((x)-1)) == 0))
#define __mod_pow2(x, y) ((x) & ((y)-1))

/* Pending accesses. Each of these functions takes a pointer to any memory. */
#if defined(__CUDA__) || defined(__HIP__)
#define SYNTH_POINTS(type, name) SYNTH_WORD type name(const volatile void *);
#define SYNTH_PLACES(name) SYNTH_WORD __SIZE_TYPE__ name(const volatile void *, int);
#else
#define SYNTH_POINTS(type, name) \
    type __attribute__((overloadable)) name(const volatile __global void *); \
    type __attribute__((overloadable)) name(const volatile __local void *); \
    type __attribute__((overloadable)) name(const __constant void *); \
    type __attribute__((overloadable)) name(const volatile __private void *);
#define SYNTH_PLACES(name) \
    __SIZE_TYPE__ __attribute__((overloadable)) name(const volatile __global void *, int); \
    __SIZE_TYPE__ __attribute__((overloadable)) name(const volatile __local void *, int); \
    __SIZE_TYPE__ __attribute__((overloadable)) name(const __constant void *, int); \
    __SIZE_TYPE__ __attribute__((overloadable)) name(const volatile __private void *, int);
#endif
SYNTH_POINTS(bool, __read)
SYNTH_POINTS(bool, __write)
SYNTH_POINTS(bool, __atomic)
SYNTH_POINTS(__SIZE_TYPE__, __ptr_base)
SYNTH_POINTS(__SIZE_TYPE__, __ptr_offset_bytes)
SYNTH_POINTS(void, __requires_fresh_array)
SYNTH_POINTS(void, __reads_from)
SYNTH_POINTS(void, __writes_to)
SYNTH_PLACES(__synth_offset)
#undef SYNTH_POINTS
#undef SYNTH_PLACES
#define __no_read(p) (!__read(p))
#define __no_write(p) (!__write(p))
#define __no_atomic(p) (!__atomic(p))
#define __read_implies(p, ...) __implies(__read(p), (__VA_ARGS__))
#define __write_implies(p, ...) __implies(__write(p), (__VA_ARGS__))
#define __atomic_implies(p, ...) __implies(__atomic(p), (__VA_ARGS__))
#define __read_offset(p) __synth_offset(p, sizeof(*(p)))
#define __write_offset(p) __synth_offset(p, sizeof(*(p)))
#define __atomic_offset(p) __synth_offset(p, sizeof(*(p)))
#define __read_offset_bytes(p) __synth_offset(p, 1)
#define __write_offset_bytes(p) __synth_offset(p, 1)
#define __atomic_offset_bytes(p) __synth_offset(p, 1)

#endif
