#define TILE 16

float weight(int distance) {
    if (distance == 0) return 0.5f;
    return 0.25f / (float)distance;
}

__kernel void blur(__global const float *in, __global float *out, __global int *counts, int width, int height) {
    __local float tile[TILE + 2][TILE + 2];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x = get_group_id(0) * TILE + lx, y = get_group_id(1) * TILE + ly;
    int inside = x < width && y < height;
    tile[ly + 1][lx + 1] = inside ? in[y * width + x] : 0.0f;
    if (lx == 0) {
        tile[ly + 1][0] = x > 0 && inside ? in[y * width + x - 1] : 0.0f;
    }
    if (lx == TILE - 1) {
        tile[ly + 1][TILE + 1] = x + 1 < width && y < height ? in[y * width + x + 1] : 0.0f;
    }
    if (ly == 0) {
        tile[0][lx + 1] = y > 0 && inside ? in[(y - 1) * width + x] : 0.0f;
    }
    if (ly == TILE - 1) {
        tile[TILE + 1][lx + 1] = y + 1 < height && x < width ? in[(y + 1) * width + x] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = tile[ly + 1][lx + 1] * weight(0);
    sum += tile[ly + 1][lx] * weight(1);
    sum += tile[ly + 1][lx + 2] * weight(1);
    sum += tile[ly][lx + 1] * weight(1);
    sum += tile[ly + 2][lx + 1] * weight(1);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[ly + 1][lx + 1] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    float best = tile[ly + 1][lx + 1];
    if (lx > 0) {
        best = fmax(best, tile[ly + 1][lx]);
    }
    if (ly > 0) {
        best = fmax(best, tile[ly][lx + 1]);
    }
    if (best > 1.0f) {
        atomic_inc(&counts[0]);
    } else {
        atomic_dec(&counts[1]);
    }
    if (inside) {
        int base = get_group_id(1) * get_num_groups(0) + get_group_id(0);
        out[get_global_id(1) * 1024 + get_global_id(0)] = best;
    }
}
