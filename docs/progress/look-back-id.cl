// A scan in which each workgroup waits for the sum of the workgroup with the next lower id.
__kernel void look_back_id(__global const int *in, __global volatile int *ready, __global int *sums) {
    int tile = get_group_id(0);
    int before = 0;
    if (tile > 0) {
        while (ready[tile - 1] == 0) {
        }
        before = sums[tile - 1];
    }
    sums[tile] = before + in[tile];
    ready[tile] = 1;
}
