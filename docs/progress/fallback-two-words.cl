// The same scan, but a tile has two words, each with half of the sum. Two lanes store and load them. The words fit together
// if both say the same: the sum of the tile (1), or of all tiles up to it (2).
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

uint half_of(uint sum, uint lane, uint kind) { return (sum >> 16 * lane & 0xffff) << 2 | kind; }

__kernel void fallback_two_words(__global const uint *in, __global volatile uint *next, __global volatile uint *tiles,
                                 __global uint *sums, uint looks) {
    __local uint shared_tile, words[2], part[32];
    uint lane = get_local_id(0);
    if (lane == 0) {
        shared_tile = atomic_inc(next);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint tile = shared_tile, sum = sum_of(in, tile, part), before = 0;
    if (lane < 2) {
        atomic_xchg(tiles + 2 * tile + lane, half_of(sum, lane, tile == 0 ? 2 : 1));
    }
    bool is_done = tile == 0;
    for (uint at = tile - 1; !is_done; --at) {
        if (lane < 2) {
            uint word = 0;
            for (uint i = 0; i < looks && word == 0; ++i) {
                word = tiles[2 * at + lane];
            }
            words[lane] = word;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        bool is_empty = words[0] == 0 || words[1] == 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_empty) {
            uint other = sum_of(in, at, part);
            if (lane < 2) {
                uint mine = half_of(other, lane, at == 0 ? 2 : 1);
                uint found = atomic_cmpxchg(tiles + 2 * at + lane, 0, mine);
                words[lane] = found == 0 ? mine : found;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        while ((words[0] & 3) != (words[1] & 3)) {
            barrier(CLK_LOCAL_MEM_FENCE);
            if (lane < 2) {
                words[lane] = tiles[2 * at + lane];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        before += words[0] >> 2 | words[1] >> 2 << 16;
        is_done = (words[0] & 3) == 2;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane < 2) {
        atomic_xchg(tiles + 2 * tile + lane, half_of(before + sum, lane, 2));
    }
    if (lane == 0) {
        sums[tile] = before + sum;
    }
}
