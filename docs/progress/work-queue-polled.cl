// The same queue, but no workgroup leaves before all pieces are done: until then, it looks again and again.
__kernel void work_queue_polled(__global volatile int *lock, __global int *head, __global int *done) {
    for (;;) {
        while (atomic_cmpxchg(lock, 0, 1) != 0) {
        }
        int piece = head[0], finished = done[0];
        if (piece < 2) {
            head[0] = piece + 1;
        }
        atomic_xchg(lock, 0);
        if (finished == 2) {
            return;
        }
        if (piece < 2) {
            while (atomic_cmpxchg(lock, 0, 1) != 0) {
            }
            done[0] += 1;
            atomic_xchg(lock, 0);
        }
    }
}
