// Workgroup 0 waits for what the last workgroup writes.
__kernel void producer_consumer(__global volatile int *flag, __global int *data, __global int *out) {
    if (get_group_id(0) == get_num_groups(0) - 1) {
        data[0] = 42;
        flag[0] = 1;
    } else if (get_group_id(0) == 0) {
        while (flag[0] == 0) {
        }
        out[0] = data[0];
    }
}
