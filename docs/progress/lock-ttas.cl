// A lock that a thread first waits to see free, and then takes.
__kernel void lock_ttas(__global volatile int *lock, __global int *sum) {
    do {
        while (lock[0] != 0) {
        }
    } while (atomic_xchg(lock, 1) != 0);
    sum[0] += 1;
    atomic_xchg(lock, 0);
}
