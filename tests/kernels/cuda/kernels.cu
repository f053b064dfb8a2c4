// Kernels for tests/kernels/clang/test_cuda.py. The name of a kernel ends with its verdict in a launch of two blocks of 64
// threads. A comment at the end of a line says which access has the fault.
#include <cooperative_groups.h>
#include <thrust/device_vector.h>
#include <cuda/atomic>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;
constexpr int N = 64;

__constant__ int table[4];
__device__ int total;

template <typename T>
__global__ void shifted_race(T *a, T factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = a[i + 1] * factor;  // fault
}

template <typename T>
__global__ void doubled_verified(T *a) {
    a[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

template <typename T, int W>
__global__ void scaled_verified(T *a, T factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] *= factor + W;
}

__global__ void no_barrier_race(int *a, int n) {
    __shared__ int t[N];
    int i = threadIdx.x;
    t[i] = a[i] + table[n & 3];
    atomicAdd(&total, t[i ^ 1]);  // fault
}

__global__ void dynamic_verified(float *a) {
    extern __shared__ float t[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x] = a[i];
    __syncthreads();
    a[i] = t[threadIdx.x ^ 1];
}

// All dynamic arrays of a block begin at the same address.
__global__ void two_names_race() {
    extern __shared__ int one[];
    extern __shared__ int other[];
    one[threadIdx.x] = 1;
    other[threadIdx.x + 1] = 2;  // fault
}

__global__ void stencil_verified(float *out, const float *in) {
    __shared__ float s[N + 2];
    int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + 1;
    s[l] = in[i + 1];
    if (threadIdx.x == 0) {
        s[0] = in[i];
        s[N + 1] = in[i + N + 1];
    }
    __syncthreads();
    out[i] = fmaxf(s[l - 1] + s[l], sqrtf(s[l + 1])) + std::max(in[i], 1.0f);
}

__global__ void histogram_race(const unsigned char *in, unsigned *bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        bins[in[i]]++;  // fault
    }
}

__global__ void early_return_divergence(int *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    a[i] = 1;
    __syncthreads();  // fault
}

__global__ void only_a_fence_race(int *a) {
    a[threadIdx.x] = 1;
    __threadfence();
    a[threadIdx.x ^ 1] = 2;  // fault
}

struct Particle {
    float x, y;
    int id;
};

__device__ void name(Particle &p, int id) {
    p.id = id;
}

__global__ void structures_verified(Particle *p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p[i].x = p[i].y + 1;
    name(p[i], i);
    Particle mine = p[i];
    p[i].y = mine.x;
}

__global__ void vectors_race(float *f) {
    int i = threadIdx.x;
    reinterpret_cast<float4 *>(f)[i] = make_float4(1, 2, 3, i);
    f[4 * i + 5] = 1;  // fault
}

__global__ void grid_verified(int *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = 1;
    cg::this_grid().sync();
    a[i ^ 127] = 2;
}

__device__ void swap_in(cg::thread_group group, int *t) {
    t[group.thread_rank()] = 1;
    group.sync();
    t[group.thread_rank() ^ 1] = 2;
}

__global__ void block_verified() {
    __shared__ int t[N];
    swap_in(cg::this_thread_block(), t);
}

__global__ void tile_unknown() {
    __shared__ int t[N];
    swap_in(cg::tiled_partition<32>(cg::this_thread_block()), t);
}

__global__ void warp_unknown(int *a) {
    a[threadIdx.x] = 1;
    __syncwarp();
}

__global__ void atomics_verified(unsigned *a) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> word{*a};
    __shared__ cuda::atomic<int, cuda::thread_scope_block> done;
    word.fetch_add(1, cuda::memory_order_relaxed);
    while (word.load(cuda::memory_order_acquire) != 3) {
    }
    unsigned expected = 0;
    word.compare_exchange_strong(expected, 5);
    word = 7;
    done++;
    atomicInc(a, 5);
    atomicCAS(a, 0u, 1u);
    atomicMax(a, 9u);
}

__global__ void lock_race(int *a) {
    if (atomicCAS(a, 0, 1) == 0) {
        *a = 3;  // fault
    }
}

__global__ void counted_verified(const int *a) {
    int many = __syncthreads_count(a[threadIdx.x] > 0);
    if (many > 3) {
        __syncthreads();
    }
}

// The pointers of a structure that is given by value are arrays of their own.
struct Picture {
    float *out;
    const float *in;
    int width;
};

__global__ void members_verified(Picture p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p.out[i] = p.in[i + 1];
    if (p.width > 3) {
        __syncthreads();
    }
}

__global__ void members_race(Picture p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    p.out[i] = p.out[i + 1];  // fault
}

__global__ void own_copy_verified(Picture p) {
    p.width += threadIdx.x;
}

__global__ void other_pointer_unknown(Picture p, float *other) {
    p.out = other;
    p.out[0] = 1;
}

__global__ void two_barriers_divergence() {
    if (threadIdx.x & 1) {
        __syncthreads();  // fault
    } else {
        __syncthreads();
    }
}

__global__ void launches_unknown(float *a) {
    members_verified<<<1, 64>>>(Picture{a, a, 3});
}

__global__ void textures_verified(cudaTextureObject_t texture, __half *a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = __float2half(tex2D<float>(texture, i, 0.5f) + warpSize);
}

// An array has less than 2^31 bytes, so only thread 0 can be here.
__global__ void far_verified(int *a) {
    a[threadIdx.x * (1ull << 32)] = blockIdx.x * 0 + threadIdx.x;
}

__global__ void long_index_verified(double *a, size_t n) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        a[i] += 1;
    }
}

int main() {
    float *device = nullptr;
    std::vector<float> host(128, 1.0f);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("%s: %d\n", properties.name, properties.warpSize);
    cudaMalloc(&device, 512);
    cudaMemcpy(device, host.data(), 512, cudaMemcpyHostToDevice);
    shifted_race<float><<<2, 64>>>(device, 2.0f);
    printf("%f\n", host[0]);
    thrust::device_vector<float> sorted(device, device + 128);
    doubled_verified<float><<<2, 64>>>(thrust::raw_pointer_cast(sorted.data()));
}
