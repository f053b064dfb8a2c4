// The same scan, but a workgroup gets its tile when it starts, so it waits only for workgroups that have started.
__kernel void look_back_ticket(__global const int *in, __global volatile int *next, __global volatile int *ready,
                               __global int *sums) {
    int tile = atomic_inc(next);
    int before = 0;
    if (tile > 0) {
        while (ready[tile - 1] == 0) {
        }
        before = sums[tile - 1];
    }
    sums[tile] = before + in[tile];
    ready[tile] = 1;
}
