/* Cooperative groups: blocks, the grid, and tiles of a warp. Only a launch that is run has barriers of tiles. */
#ifndef SYNTH_COOPERATIVE_GROUPS_H
#define SYNTH_COOPERATIVE_GROUPS_H

namespace cooperative_groups {

SYNTH_HERE unsigned __synth_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
SYNTH_HERE unsigned __synth_size() { return blockDim.x * blockDim.y * blockDim.z; }

struct thread_block {
    struct arrival_token {};
    static SYNTH_HERE void sync() { __synth_barrier(); }
    static SYNTH_HERE unsigned thread_rank() { return __synth_rank(); }
    static SYNTH_HERE unsigned size() { return __synth_size(); }
    static SYNTH_HERE unsigned num_threads() { return __synth_size(); }
    static SYNTH_HERE dim3 thread_index() { return threadIdx; }
    static SYNTH_HERE dim3 group_index() { return blockIdx; }
    static SYNTH_HERE dim3 group_dim() { return blockDim; }
    static SYNTH_HERE dim3 dim_threads() { return blockDim; }
    static SYNTH_HERE arrival_token barrier_arrive() { __synth_objects(); return {}; }
    static SYNTH_HERE void barrier_wait(arrival_token) { __synth_objects(); }
};
SYNTH_HERE thread_block this_thread_block() { return {}; }

struct grid_group {
    static SYNTH_HERE bool is_valid() { return true; }
    static SYNTH_HERE void sync() { __synth_grid_barrier(); }
    static SYNTH_HERE unsigned block_rank() { return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x; }
    static SYNTH_HERE unsigned num_blocks() { return gridDim.x * gridDim.y * gridDim.z; }
    static SYNTH_HERE unsigned long long thread_rank() { return block_rank() * __synth_size() + __synth_rank(); }
    static SYNTH_HERE unsigned long long size() { return num_blocks() * __synth_size(); }
    static SYNTH_HERE unsigned long long num_threads() { return size(); }
    static SYNTH_HERE dim3 block_index() { return blockIdx; }
    static SYNTH_HERE dim3 group_dim() { return gridDim; }
    static SYNTH_HERE dim3 dim_blocks() { return gridDim; }
};
SYNTH_HERE grid_group this_grid() { return {}; }

#define SYNTH_TOLD(ANY)                                                                                       \
    template <class T> SYNTH_HERE T shfl(T, int) const { return ANY<T>(); }                                   \
    template <class T> SYNTH_HERE T shfl_up(T, int) const { return ANY<T>(); }                                \
    template <class T> SYNTH_HERE T shfl_down(T, int) const { return ANY<T>(); }                              \
    template <class T> SYNTH_HERE T shfl_xor(T, int) const { return ANY<T>(); }                               \
    SYNTH_HERE int any(int) const { return ANY<int>(); }                                                      \
    SYNTH_HERE int all(int) const { return ANY<int>(); }                                                      \
    SYNTH_HERE unsigned ballot(int) const { return ANY<unsigned>(); }

#ifdef SYNTH_RUNS
/* The lanes of a warp that are in the tile of this lane. A tile that is larger than a warp is not supported. */
template <unsigned Size> SYNTH_HERE unsigned long long __synth_tile() {
    if (Size > SYNTH_RUNS && __synth_any<int>()) __synth_tile_barrier();
    return Size > 63 ? ~0ull : ((1ull << (Size & 63)) - 1) << __synth_lane() / Size * Size;
}
#define SYNTH_TOLD_IN_TILE                                                                                    \
    static SYNTH_HERE void sync() { __syncwarp(__synth_tile<Size>()); }                                       \
    template <class T> SYNTH_HERE T shfl(T value, int from) const {                                           \
        return __shfl_sync(__synth_tile<Size>(), value, from, Size);                                          \
    }                                                                                                         \
    template <class T> SYNTH_HERE T shfl_up(T value, int by) const {                                          \
        return __shfl_up_sync(__synth_tile<Size>(), value, by, Size);                                         \
    }                                                                                                         \
    template <class T> SYNTH_HERE T shfl_down(T value, int by) const {                                        \
        return __shfl_down_sync(__synth_tile<Size>(), value, by, Size);                                       \
    }                                                                                                         \
    template <class T> SYNTH_HERE T shfl_xor(T value, int with) const {                                       \
        return __shfl_xor_sync(__synth_tile<Size>(), value, with, Size);                                      \
    }                                                                                                         \
    SYNTH_HERE int any(int value) const { return __any_sync(__synth_tile<Size>(), value); }                   \
    SYNTH_HERE int all(int value) const { return __all_sync(__synth_tile<Size>(), value); }                   \
    SYNTH_HERE unsigned ballot(int value) const {                                                             \
        return __synth_ballot(__synth_tile<Size>(), value) >> __synth_lane() / Size * Size;                   \
    }
#else
#define SYNTH_TOLD_IN_TILE                                                                                    \
    static SYNTH_HERE void sync() { __synth_tile_barrier(); }                                                 \
    SYNTH_TOLD(__synth_any)
#endif
template <unsigned Size, class Of = thread_block> struct thread_block_tile {
    static SYNTH_HERE unsigned thread_rank() { return __synth_rank() % Size; }
    static SYNTH_HERE unsigned meta_group_rank() { return __synth_rank() / Size; }
    static SYNTH_HERE unsigned meta_group_size() { return (__synth_size() + Size - 1) / Size; }
    static constexpr SYNTH_HERE unsigned size() { return Size; }
    static constexpr SYNTH_HERE unsigned num_threads() { return Size; }
    SYNTH_TOLD_IN_TILE
};
#undef SYNTH_TOLD_IN_TILE
template <unsigned Size, class Group> SYNTH_HERE thread_block_tile<Size, Group> tiled_partition(const Group &) {
    return {};
}

struct coalesced_group {
    static SYNTH_HERE void sync() { __synth_tile_barrier(); }
    static SYNTH_HERE unsigned thread_rank() { return __synth_of_lanes<unsigned>(); }
    static SYNTH_HERE unsigned size() { return __synth_of_lanes<unsigned>(); }
    static SYNTH_HERE unsigned num_threads() { return __synth_of_lanes<unsigned>(); }
    SYNTH_TOLD(__synth_of_lanes)
};
SYNTH_HERE coalesced_group coalesced_threads() { return {}; }
#undef SYNTH_TOLD

/* A group of any kind. A group that is no block may be smaller. */
struct thread_group {
    bool is_block;
    unsigned many;
    SYNTH_HERE thread_group(thread_block of) : is_block(true), many(of.size()) {}
    SYNTH_HERE thread_group(coalesced_group of) : is_block(false), many(of.size()) {}
    SYNTH_HERE thread_group(bool is_block, unsigned many) : is_block(is_block), many(many) {}
    template <unsigned Size, class Of>
    SYNTH_HERE thread_group(thread_block_tile<Size, Of>) : is_block(false), many(Size) {}
    SYNTH_HERE void sync() const { __synth_group_barrier(is_block); }
    SYNTH_HERE unsigned thread_rank() const { return __synth_rank() % many; }
    SYNTH_HERE unsigned size() const { return many; }
};
SYNTH_HERE thread_group tiled_partition(const thread_group &, unsigned many) { return {false, many}; }

template <class Group> SYNTH_HERE void sync(const Group &group) { group.sync(); }

template <class T> struct plus { SYNTH_HERE T operator()(T one, T other) const { return one + other; } };
template <class T> struct less { SYNTH_HERE T operator()(T one, T other) const { return other < one ? other : one; } };
template <class T> struct greater { SYNTH_HERE T operator()(T one, T other) const { return one < other ? other : one; } };
#ifdef SYNTH_RUNS
template <unsigned Size, class Of, class T, class Operator>
SYNTH_HERE T reduce(const thread_block_tile<Size, Of> &tile, T value, Operator &&together) {
    const unsigned first = __synth_lane() / Size * Size;
    T found = tile.shfl(value, 0);
    for (unsigned lane = 1; lane < Size && first + lane < __synth_lanes(); ++lane) {
        found = together(found, tile.shfl(value, lane));
    }
    return found;
}
#endif
template <class Group, class T, class Operator> SYNTH_HERE T reduce(const Group &, T, Operator &&) {
    return __synth_any<T>();
}
template <class Group, class T> SYNTH_HERE T inclusive_scan(const Group &, T) { return __synth_any<T>(); }
template <class Group, class T> SYNTH_HERE T exclusive_scan(const Group &, T) { return __synth_any<T>(); }
template <class Group, class... Any> SYNTH_HERE void memcpy_async(const Group &, Any &&...) { __synth_copies(); }
template <class Group> SYNTH_HERE void wait(const Group &) { __synth_copies(); }
template <unsigned Number, class Group> SYNTH_HERE void wait_prior(const Group &) { __synth_copies(); }

}  // namespace cooperative_groups
#endif
