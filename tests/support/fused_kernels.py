"""Make larger kernels with loops: each runs several stages that kernels for GPUs often have, one after the other.

A stage has a local array of its own, and arrays in global memory. It ends with a barrier, as in a program whose
kernels somebody has fused to save launches. `sources` draws kernels at random, with a seed, so they are the same.
"""

import random

#: Threads of a group.
LOCAL = 64
#: What stages do, as OpenCL C. `l` is the local id, `g` the group, `n` a size; # is the number of the stage.
STAGES = {
    "sum of a stride": """
    int sum# = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        sum# += in#[i];
    s#[l] = sum#;
    barrier(CLK_LOCAL_MEM_FENCE);
""",
    "tree": """
    s#[l] = in#[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 32; d > 0; d >>= 1) {
        if (l < d)
            s#[l] += s#[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out#[g] = s#[0];
""",
    "scan": """
    s#[l] = in#[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 64; d <<= 1) {
        int v = s#[l];
        if (l >= d)
            v += s#[l - d];
        barrier(CLK_LOCAL_MEM_FENCE);
        s#[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out#[get_global_id(0)] = s#[l];
""",
    "rows": """
    for (int i = l; i < 256; i += 64)
        t#[i] = in#[g * 256 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 4; r++)
        out#[(g * 4 + r) * 64 + l] = t#[r * 64 + 63 - l];
""",
    "stencil": """
    s#[l] = in#[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < n; k++) {
        int v = s#[l];
        if (l > 0 && l < 63)
            v = (s#[l - 1] + v + s#[l + 1]) / 3;
        barrier(CLK_LOCAL_MEM_FENCE);
        s#[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out#[get_global_id(0)] = s#[l];
""",
    "tiles": """
    int dot# = 0;
    for (int k = 0; k < n; k++) {
        s#[l] = in#[k * 64 + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 64; j++)
            dot# += s#[j] * in#[j];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out#[get_global_id(0)] = dot#;
""",
    "histogram": """
    for (int i = l; i < 256; i += 64)
        t#[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&t#[in#[i] & 255]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l; i < 256; i += 64)
        out#[g * 256 + i] = t#[i];
""",
    "bitonic": """
    s#[l] = in#[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= 64; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            int p = l ^ j;
            if (p > l && (s#[l] > s#[p]) == ((l & k) == 0)) {
                int v = s#[l];
                s#[l] = s#[p];
                s#[p] = v;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    out#[get_global_id(0)] = s#[l];
""",
    "odd and even": """
    s#[l] = in#[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++) {
        if ((l & 1) == (k & 1) && l < 63 && s#[l] > s#[l + 1]) {
            int v = s#[l];
            s#[l] = s#[l + 1];
            s#[l + 1] = v;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out#[get_global_id(0)] = s#[l];
""",
    "transpose": """
    for (int r = l >> 5; r < 8; r += 2)
        t#[r * 32 + (l & 31)] = in#[(g * 8 + r) * 32 + (l & 31)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = l; r < 256; r += 64)
        out#[g * 256 + r] = t#[(r & 7) * 32 + (r >> 3)];
""",
}


def source(name, stages):
    """Return a kernel in OpenCL C with these stages."""
    arrays = ", ".join(f"__global int *in{at}, __global int *out{at}" for at, _ in enumerate(stages))
    texts = [STAGES[stage].replace("#", str(at)) for at, stage in enumerate(stages)]
    local = [
        f"    __local int {word}{at}[{size}];\n"
        for at, text in enumerate(texts)
        for word, size in (("s", 64), ("t", 256))
        if f"{word}{at}[" in text
    ]
    ids = "    int l = get_local_id(0), g = get_group_id(0);\n"
    body = "    barrier(CLK_LOCAL_MEM_FENCE);".join(texts)
    return f"__kernel void {name}(int n, {arrays}) {{\n{''.join(local)}{ids}{body}}}\n"


def sources(count, least=5, most=6, seed=29):
    """Return so many kernels with their names, of `least` to `most` stages."""
    chance = random.Random(seed)
    found = {}
    for number in range(count):
        stages = chance.choices(sorted(STAGES), k=chance.randint(least, most))
        found[f"fused{number}"] = source(f"fused{number}", stages)
    return found
