// Dining philosophers: each workgroup takes the fork on its left, and then the fork on its right.
__kernel void philosophers(__global volatile int *forks, __global int *meals) {
    int left = get_group_id(0), right = (left + 1) % get_num_groups(0);
    while (atomic_cmpxchg(forks + left, 0, 1) != 0) {
    }
    while (atomic_cmpxchg(forks + right, 0, 1) != 0) {
    }
    meals[left] = 1;
    atomic_xchg(forks + right, 0);
    atomic_xchg(forks + left, 0);
}
