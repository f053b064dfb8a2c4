/* What the work-items of a group or sub-group of OpenCL do together, for a launch that is run. SYNTH_RUNS is the size of
   a sub-group. Each work-item leaves its value in local memory, and reads there what the others have left.

   The names are macros, because clang declares functions of these names itself. */
#ifndef SYNTH_COLLECTIVES_H
#define SYNTH_COLLECTIVES_H

void __synth_subgroup_barrier(void);
void __attribute__((overloadable)) __synth_sub_group_barrier(cl_mem_fence_flags);
void __attribute__((overloadable)) __synth_sub_group_barrier(cl_mem_fence_flags, memory_scope);
void __synth_barrier(void);

#define SYNTH_HERE static inline __attribute__((overloadable, always_inline))

SYNTH_HERE uint __synth_thread(void) {
    return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
SYNTH_HERE uint __synth_threads(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
SYNTH_HERE uint __synth_first(void) { return __synth_thread() / SYNTH_RUNS * SYNTH_RUNS; }
SYNTH_HERE uint __synth_lanes(void) { return min(__synth_threads() - __synth_first(), (uint)SYNTH_RUNS); }
SYNTH_HERE uint __synth_lane(void) { return __synth_thread() - __synth_first(); }
SYNTH_HERE uint __synth_zero(void) { return 0; }

#define get_sub_group_size() __synth_lanes()
#define get_max_sub_group_size() min(__synth_threads(), (uint)SYNTH_RUNS)
#define get_sub_group_local_id() __synth_lane()
#define get_sub_group_id() (__synth_thread() / SYNTH_RUNS)
#define get_num_sub_groups() ((__synth_threads() + SYNTH_RUNS - 1) / SYNTH_RUNS)
#define get_enqueued_num_sub_groups() get_num_sub_groups()
#define sub_group_barrier __synth_sub_group_barrier

/* A reduction, and the scans, of some members of a group. */
#define SYNTH_REDUCTION(SCOPE, NAME, T, BARRIER, FIRST, COUNT, NUMBER, IDENTITY, TOGETHER)                    \
    SYNTH_HERE T __synth_##SCOPE##_reduce_##NAME(T value) {                                                   \
        __local T *given = __synth_given_##T();                                                               \
        given[__synth_thread()] = value;                                                                      \
        BARRIER();                                                                                            \
        T a = given[FIRST()];                                                                                 \
        for (uint one = 1; one < COUNT(); ++one) {                                                            \
            const T b = given[FIRST() + one];                                                                 \
            a = TOGETHER;                                                                                     \
        }                                                                                                     \
        BARRIER();                                                                                            \
        given[__synth_thread()] = 0;                                                                          \
        return a;                                                                                             \
    }                                                                                                         \
    SYNTH_HERE T __synth_##SCOPE##_scan_exclusive_##NAME(T value) {                                           \
        __local T *given = __synth_given_##T();                                                               \
        given[__synth_thread()] = value;                                                                      \
        BARRIER();                                                                                            \
        T a = IDENTITY;                                                                                       \
        for (uint one = 0; one < NUMBER(); ++one) {                                                           \
            const T b = given[FIRST() + one];                                                                 \
            a = TOGETHER;                                                                                     \
        }                                                                                                     \
        BARRIER();                                                                                            \
        given[__synth_thread()] = 0;                                                                          \
        return a;                                                                                             \
    }                                                                                                         \
    SYNTH_HERE T __synth_##SCOPE##_scan_inclusive_##NAME(T value) {                                           \
        T a = __synth_##SCOPE##_scan_exclusive_##NAME(value);                                                 \
        const T b = value;                                                                                    \
        return TOGETHER;                                                                                      \
    }
#define SYNTH_FROM(SCOPE, T, BARRIER, FIRST, COUNT)                                                           \
    SYNTH_HERE T __synth_##SCOPE##_from(T value, uint from) {                                                 \
        __local T *given = __synth_given_##T();                                                               \
        given[__synth_thread()] = value;                                                                      \
        BARRIER();                                                                                            \
        T found;                                                                                              \
        if (from < COUNT()) found = given[FIRST() + from];                                                    \
        BARRIER();                                                                                            \
        given[__synth_thread()] = 0;                                                                          \
        return found;                                                                                         \
    }
#define SYNTH_OF_SCOPE(SCOPE, T, LEAST, MOST, BARRIER, FIRST, COUNT, NUMBER)                                  \
    SYNTH_REDUCTION(SCOPE, add, T, BARRIER, FIRST, COUNT, NUMBER, 0, a + b)                                   \
    SYNTH_REDUCTION(SCOPE, mul, T, BARRIER, FIRST, COUNT, NUMBER, 1, a *b)                                    \
    SYNTH_REDUCTION(SCOPE, min, T, BARRIER, FIRST, COUNT, NUMBER, MOST, b < a ? b : a)                        \
    SYNTH_REDUCTION(SCOPE, max, T, BARRIER, FIRST, COUNT, NUMBER, LEAST, a < b ? b : a)                       \
    SYNTH_FROM(SCOPE, T, BARRIER, FIRST, COUNT)
#define SYNTH_BITS_OF_SCOPE(SCOPE, T, BARRIER, FIRST, COUNT, NUMBER)                                          \
    SYNTH_REDUCTION(SCOPE, and, T, BARRIER, FIRST, COUNT, NUMBER, ~(T)0, a & b)                               \
    SYNTH_REDUCTION(SCOPE, or, T, BARRIER, FIRST, COUNT, NUMBER, 0, a | b)                                    \
    SYNTH_REDUCTION(SCOPE, xor, T, BARRIER, FIRST, COUNT, NUMBER, 0, a ^ b)
#define SYNTH_NUMBERS(T, LEAST, MOST)                                                                         \
    __local T *__synth_given_##T(void);                                                                       \
    SYNTH_OF_SCOPE(sub, T, LEAST, MOST, __synth_subgroup_barrier, __synth_first, __synth_lanes, __synth_lane) \
    SYNTH_OF_SCOPE(work, T, LEAST, MOST, __synth_barrier, __synth_zero, __synth_threads, __synth_thread)
#define SYNTH_WORDS(T, LEAST, MOST)                                                                           \
    SYNTH_NUMBERS(T, LEAST, MOST)                                                                             \
    SYNTH_BITS_OF_SCOPE(sub, T, __synth_subgroup_barrier, __synth_first, __synth_lanes, __synth_lane)         \
    SYNTH_BITS_OF_SCOPE(work, T, __synth_barrier, __synth_zero, __synth_threads, __synth_thread)
SYNTH_WORDS(int, INT_MIN, INT_MAX)
SYNTH_WORDS(uint, 0, UINT_MAX)
SYNTH_WORDS(long, LONG_MIN, LONG_MAX)
SYNTH_WORDS(ulong, 0, ULONG_MAX)
SYNTH_NUMBERS(float, -INFINITY, INFINITY)
SYNTH_NUMBERS(double, -HUGE_VAL, HUGE_VAL)

#define sub_group_reduce_add __synth_sub_reduce_add
#define sub_group_reduce_min __synth_sub_reduce_min
#define sub_group_reduce_max __synth_sub_reduce_max
#define sub_group_scan_exclusive_add __synth_sub_scan_exclusive_add
#define sub_group_scan_exclusive_min __synth_sub_scan_exclusive_min
#define sub_group_scan_exclusive_max __synth_sub_scan_exclusive_max
#define sub_group_scan_inclusive_add __synth_sub_scan_inclusive_add
#define sub_group_scan_inclusive_min __synth_sub_scan_inclusive_min
#define sub_group_scan_inclusive_max __synth_sub_scan_inclusive_max
#define sub_group_broadcast __synth_sub_from
#define sub_group_shuffle __synth_sub_from
#define sub_group_shuffle_xor(value, with) __synth_sub_from(value, __synth_lane() ^ (with))
#define sub_group_shuffle_up(value, by) __synth_sub_from(value, __synth_lane() - (by))
#define sub_group_shuffle_down(value, by) __synth_sub_from(value, __synth_lane() + (by))
#define intel_sub_group_shuffle __synth_sub_from
#define intel_sub_group_shuffle_xor(value, with) __synth_sub_from(value, __synth_lane() ^ (with))
#define sub_group_all(value) (__synth_sub_reduce_and((int)((value) != 0)))
#define sub_group_any(value) (__synth_sub_reduce_or((int)((value) != 0)))
#define work_group_reduce_add __synth_work_reduce_add
#define work_group_reduce_min __synth_work_reduce_min
#define work_group_reduce_max __synth_work_reduce_max
#define work_group_scan_exclusive_add __synth_work_scan_exclusive_add
#define work_group_scan_exclusive_min __synth_work_scan_exclusive_min
#define work_group_scan_exclusive_max __synth_work_scan_exclusive_max
#define work_group_scan_inclusive_add __synth_work_scan_inclusive_add
#define work_group_scan_inclusive_min __synth_work_scan_inclusive_min
#define work_group_scan_inclusive_max __synth_work_scan_inclusive_max
#define work_group_all(value) (__synth_work_reduce_and((int)((value) != 0)))
#define work_group_any(value) (__synth_work_reduce_or((int)((value) != 0)))
#define __synth_at1(value, x) __synth_work_from(value, x)
#define __synth_at2(value, x, y) __synth_work_from(value, (x) + get_local_size(0) * (y))
#define __synth_at3(value, x, y, z) __synth_work_from(value, (x) + get_local_size(0) * ((y) + get_local_size(1) * (z)))
#define __synth_pick(value, x, y, z, NAME, ...) NAME
#define work_group_broadcast(...) __synth_pick(__VA_ARGS__, __synth_at3, __synth_at2, __synth_at1, 0)(__VA_ARGS__)

/* Ballots: a sub-group has at most 64 lanes here. */
SYNTH_HERE uint4 __synth_as_ballot(ulong bits) { return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0); }
SYNTH_HERE ulong __synth_bits(uint4 ballot) { return (ulong)ballot.y << 32 | ballot.x; }
SYNTH_HERE ulong __synth_below(uint lane) { return lane > 63 ? ~0ul : (1ul << lane) - 1; }
SYNTH_HERE uint __synth_count(ulong bits) { return (uint)__builtin_popcountll(bits); }
#define sub_group_ballot(value) __synth_as_ballot(__synth_sub_reduce_or((ulong)((value) != 0) << __synth_lane()))
#define sub_group_inverse_ballot(ballot) ((int)(__synth_bits(ballot) >> __synth_lane() & 1))
#define sub_group_ballot_bit_extract(ballot, lane) ((int)(__synth_bits(ballot) >> (lane) & 1))
#define sub_group_ballot_bit_count(ballot) __synth_count(__synth_bits(ballot) & __synth_below(__synth_lanes()))
#define sub_group_ballot_inclusive_scan(ballot) __synth_count(__synth_bits(ballot) & __synth_below(__synth_lane() + 1))
#define sub_group_ballot_exclusive_scan(ballot) __synth_count(__synth_bits(ballot) & __synth_below(__synth_lane()))
#define sub_group_ballot_find_lsb(ballot) ((uint)__builtin_ctzll(__synth_bits(ballot)))
#define sub_group_ballot_find_msb(ballot) (63u - (uint)__builtin_clzll(__synth_bits(ballot)))
#define get_sub_group_eq_mask() __synth_as_ballot(1ul << __synth_lane())
#define get_sub_group_lt_mask() __synth_as_ballot(__synth_below(__synth_lane()))
#define get_sub_group_le_mask() __synth_as_ballot(__synth_below(__synth_lane() + 1))
#define get_sub_group_gt_mask() __synth_as_ballot(__synth_below(__synth_lanes()) & ~__synth_below(__synth_lane() + 1))
#define get_sub_group_ge_mask() __synth_as_ballot(__synth_below(__synth_lanes()) & ~__synth_below(__synth_lane()))

#undef SYNTH_WORDS
#undef SYNTH_NUMBERS
#undef SYNTH_BITS_OF_SCOPE
#undef SYNTH_OF_SCOPE
#undef SYNTH_FROM
#undef SYNTH_REDUCTION
#undef SYNTH_HERE
#endif
