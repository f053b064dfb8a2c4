// The same barrier with a mistake: in the workgroups that wait, only the first thread reaches the last barrier.
__kernel void barrier_xf_wrong(__global volatile int *arrived, __global volatile int *released) {
    int group = get_group_id(0), groups = get_num_groups(0), local_id = get_local_id(0), size = get_local_size(0);
    if (group == 0) {
        for (int other = 1 + local_id; other < groups; other += size) {
            while (arrived[other] == 0) {
            }
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (int other = 1 + local_id; other < groups; other += size) {
            released[other] = 1;
        }
    } else {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (local_id == 0) {
            arrived[group] = 1;
            while (released[group] == 0) {
            }
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
    }
}
