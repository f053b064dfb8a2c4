__global__ void lock(int *lock, int *sum) {
    if (threadIdx.x == 0) {
        while (atomicExch(lock, 1) == 1) {
        }
        *sum += 1;
        atomicExch(lock, 0);
    }
}
