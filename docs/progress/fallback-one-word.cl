// A scan that does not rely on others: a workgroup that finds an earlier tile empty adds it up itself. A tile has one
// word: its sum so far, and whether this is the sum of the tile (1) or of all tiles up to it (2).
uint sum_of(__global const uint *in, uint tile, __local uint *part) {
    uint lane = get_local_id(0), lanes = get_local_size(0), sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    part[lane] = in[tile * lanes + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < lanes; ++i) {
        sum += part[i];
    }
    return sum;
}

__kernel void fallback_one_word(__global const uint *in, __global volatile uint *next, __global volatile uint *tiles,
                                __global uint *sums, uint looks) {
    __local uint shared_tile, shared_word, part[32];
    uint lane = get_local_id(0);
    if (lane == 0) {
        shared_tile = atomic_inc(next);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint tile = shared_tile, sum = sum_of(in, tile, part), before = 0;
    if (lane == 0) {
        atomic_xchg(tiles + tile, sum << 2 | (tile == 0 ? 2 : 1));
    }
    bool is_done = tile == 0;
    for (uint at = tile - 1; !is_done; --at) {
        if (lane == 0) {
            shared_word = 0;
            for (uint i = 0; i < looks && shared_word == 0; ++i) {
                shared_word = tiles[at];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        uint word = shared_word;
        if (word == 0) {
            word = sum_of(in, at, part) << 2 | (at == 0 ? 2 : 1);
            if (lane == 0) {
                atomic_cmpxchg(tiles + at, 0, word);
            }
        }
        before += word >> 2;
        is_done = (word & 3) == 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0) {
        atomic_xchg(tiles + tile, (before + sum) << 2 | 2);
        sums[tile] = before + sum;
    }
}
