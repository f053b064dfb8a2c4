// Dining philosophers who take the fork with the lower number first, so there is no circle of waiting.
__kernel void philosophers_ordered(__global volatile int *forks, __global int *meals) {
    int left = get_group_id(0), right = (left + 1) % get_num_groups(0);
    int first = min(left, right), second = max(left, right);
    while (atomic_cmpxchg(forks + first, 0, 1) != 0) {
    }
    while (atomic_cmpxchg(forks + second, 0, 1) != 0) {
    }
    meals[left] = 1;
    atomic_xchg(forks + second, 0);
    atomic_xchg(forks + first, 0);
}
