// A barrier of all workgroups that is used twice. The last to arrive clears the counter and begins the next round.
__kernel void barrier_grid(__global volatile int *arrived, __global volatile int *round) {
    for (int use = 0; use < 2; ++use) {
        int mine = round[0];
        if (atomic_inc(arrived) == (int)get_num_groups(0) - 1) {
            arrived[0] = 0;
            atomic_inc(round);
        } else {
            while (round[0] == mine) {
            }
        }
    }
}
