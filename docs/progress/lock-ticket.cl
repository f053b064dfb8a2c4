// A lock that serves its threads in the order in which they came.
__kernel void lock_ticket(__global volatile int *next, __global volatile int *served, __global int *sum) {
    int mine = atomic_inc(next);
    while (served[0] != mine) {
    }
    sum[0] += 1;
    atomic_inc(served);
}
