// A barrier of all workgroups that is used twice, and that counts the arrivals of both uses with one counter.
__kernel void barrier_wrong(__global volatile int *arrived) {
    for (int use = 0; use < 2; ++use) {
        atomic_inc(arrived);
        while (arrived[0] != (int)get_num_groups(0)) {
        }
    }
}
