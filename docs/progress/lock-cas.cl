// A lock that is taken with a compare-and-swap. It protects a sum.
__kernel void lock_cas(__global volatile int *lock, __global int *sum) {
    while (atomic_cmpxchg(lock, 0, 1) != 0) {
    }
    sum[0] += 1;
    atomic_xchg(lock, 0);
}
