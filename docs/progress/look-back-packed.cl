// A scan in which a tile has one word: its sum so far, and whether this is the sum of the tile (1) or of all tiles up to
// it (2). The lanes of a workgroup look back at one tile each.
__kernel void look_back_packed(__global const uint *in, __global volatile uint *next, __global volatile uint *tiles,
                               __global uint *out) {
    __local uint shared_tile, part[32], window[32];
    uint lane = get_local_id(0), lanes = get_local_size(0);
    if (lane == 0) {
        shared_tile = atomic_inc(next);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint tile = shared_tile;
    part[lane] = in[tile * lanes + lane];
    barrier(CLK_LOCAL_MEM_FENCE);
    uint sum = 0, before = 0;
    for (uint i = 0; i < lanes; ++i) {
        sum += part[i];
    }
    if (lane == 0) {
        atomic_xchg(tiles + tile, sum << 2 | (tile == 0 ? 2 : 1));
    }
    bool looks = tile > 0;
    for (uint end = tile; looks; end -= lanes) {
        uint word = 2;
        if (lane < end) {
            do {
                word = tiles[end - 1 - lane];
            } while ((word & 3) == 0);
        }
        window[lane] = word;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; looks && i < lanes; ++i) {
            before += window[i] >> 2;
            looks = (window[i] & 3) == 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0 && tile > 0) {
        atomic_xchg(tiles + tile, (before + sum) << 2 | 2);
    }
    for (uint i = 0; i <= lane; ++i) {
        before += part[i];
    }
    out[tile * lanes + lane] = before;
}
