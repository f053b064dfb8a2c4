// Workgroups take pieces of work from a queue that a lock protects, until the queue is empty.
__kernel void work_queue(__global volatile int *lock, __global int *head, __global int *done) {
    for (;;) {
        while (atomic_cmpxchg(lock, 0, 1) != 0) {
        }
        int piece = head[0];
        if (piece < 3) {
            head[0] = piece + 1;
        }
        atomic_xchg(lock, 0);
        if (piece >= 3) {
            return;
        }
        done[piece] = 1;
    }
}
