__kernel void scan(__global int *sums, __global const int *values, int n) {
    __local int part[64];
    int id = get_local_id(0);
    part[id] = id < n ? values[get_global_id(0)] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < 64; step *= 2) {
        int other = id >= step ? part[id - step] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        part[id] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    sums[get_global_id(0)] = part[id];
}
