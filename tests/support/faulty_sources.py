"""Kernels in C that are right, and faulty ones made from them: a barrier out, an index shifted, or a guard dropped.

A kernel stands with its launch: threads of a workgroup, and the arguments for two workgroups.
"""

import random
import re
from pathlib import Path
from typing import NamedTuple

from launches import GALLERY_NEEDS

_PROGRESS = Path(__file__).parents[2] / "docs" / "progress"


class Source(NamedTuple):
    """A kernel in C with its launch."""

    name: str
    ending: str
    text: str
    local: int
    arguments: str


#: Kernels with barriers and guards. Arrays are longer than they need be, so that a shifted index stays inside.
_PLAIN = {
    "reverse.cl": """__kernel void k(__global int *restrict a, __local int *t) {
    int i = get_local_id(0), n = get_local_size(0);
    t[i] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = t[n - 1 - i];
}""",
    "rotate.cl": """__kernel void k(__global int *restrict a, __local int *t) {
    int i = get_local_id(0);
    t[i] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = t[i ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[i] = x + 1;
    if (i == 0) a[2 * 8 + get_group_id(0)] = x;
}""",
    "sum.cl": """__kernel void k(__global int *restrict a, __local int *t) {
    int i = get_local_id(0);
    t[i] = a[get_global_id(0)];
    for (int d = get_local_size(0) / 2; d > 0; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < d) t[i] += t[i + d];
    }
    if (i == 0) a[16 + get_group_id(0)] = t[0];
}""",
    "scan.cl": """__kernel void k(__global int *restrict a, __local int *t) {
    int i = get_local_id(0);
    t[i] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < get_local_size(0); d *= 2) {
        int left = i >= d ? t[i - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[i] += left;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = t[i];
}""",
    "stencil.cu": """__global__ void k(int *__restrict__ in, int *__restrict__ out, int n) {
    __shared__ int t[16];
    int i = threadIdx.x, g = blockIdx.x * blockDim.x + i;
    t[i + 1] = in[g];
    if (i == 0) t[0] = 0;
    if (i == blockDim.x - 1) t[i + 2] = 0;
    __syncthreads();
    if (g < n) out[g] = t[i] + t[i + 1] + t[i + 2];
}""",
    "transpose.cu": """__global__ void k(int *__restrict__ a, int *__restrict__ b) {
    __shared__ int t[16];
    int x = threadIdx.x % 2, y = threadIdx.x / 2;
    t[2 * y + x] = a[blockIdx.x * 4 + threadIdx.x];
    __syncthreads();
    b[blockIdx.x * 4 + threadIdx.x] = t[2 * x + y];
}""",
    "histogram.cu": """__global__ void k(const int *__restrict__ in, int *__restrict__ out) {
    __shared__ int bins[8];
    if (threadIdx.x < 4) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x] & 3], 1);
    __syncthreads();
    if (threadIdx.x < 4) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}""",
    "sort.cl": """__kernel void k(__global int *restrict a, __local int *t) {
    int i = get_local_id(0);
    t[i] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int phase = 0; phase < 4; phase++) {
        if (i % 2 == phase % 2 && i + 1 < get_local_size(0)) {
            if (t[i] > t[i + 1]) {
                int x = t[i];
                t[i] = t[i + 1];
                t[i + 1] = x;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = t[i];
}""",
    "buffers.cu": """__global__ void k(int *__restrict__ a, int n) {
    __shared__ int t[2][8];
    int i = threadIdx.x, g = blockIdx.x * blockDim.x + i;
    t[0][i] = a[g];
    __syncthreads();
    for (int j = 0; j < n; j++) {
        t[(j + 1) & 1][i] = t[j & 1][(i + 1) % blockDim.x];
        __syncthreads();
    }
    a[g] = t[n & 1][i];
}""",
    "matrix.cl": """__kernel void k(__global int *restrict a, __global int *restrict b, __global int *restrict c) {
    __local int s[8], t[8];
    int x = get_local_id(0) % 2, y = get_local_id(0) / 2, sum = 0;
    for (int j = 0; j < 2; j++) {
        s[2 * y + x] = a[4 * j + 2 * y + x];
        t[2 * y + x] = b[4 * j + 2 * y + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s[2 * y] * t[x] + s[2 * y + 1] * t[2 + x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[get_group_id(0) * 4 + 2 * y + x] = sum;
}""",
    "first.cl": """__kernel void k(__global int *restrict a, __global int *restrict sums) {
    __local int first;
    if (get_local_id(0) == 0) first = a[get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first > 0 && get_local_id(0) == 1) sums[get_group_id(0)] = first;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 2) sums[get_group_id(0)] += 1;
}""",
    "queue.cl": """__kernel void k(__global int *restrict out, __global volatile int *next, int n) {
    __local int item;
    for (;;) {
        if (get_local_id(0) == 0) item = atomic_inc(next);
        barrier(CLK_LOCAL_MEM_FENCE);
        int mine = item;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine >= n) break;
        out[4 * mine + get_local_id(0)] = mine;
    }
}""",
}
_BOTH = "a=3,1,2,5,1,4,2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 t=0:16"
_ARGUMENTS = {
    "stencil.cu": "in=1:24 out=0:24 n=6",
    "transpose.cu": "a=1:24 b=0:24",
    "histogram.cu": "in=1,2,3,1,0,2,1,1,1,1,1,1 out=0:24",
    "buffers.cu": "a=1:24 n=2",
    "matrix.cl": "a=1:24 b=1:24 c=0:24",
    "first.cl": "a=1:24 sums=0:24",
    "queue.cl": "out=0:24 next=0:2 n=2",
}
#: What is changed, and what may take its place.
_CHANGES = {
    "barrier": (re.compile(r"\b(?:barrier|__syncthreads)\([^;]*\)"), [""]),
    "index": (re.compile(r"(?<![\w ] )\b(\w+)\[([^][]+)\]"), [r"\1[\2 + 1]", r"\1[\2 + 2]", r"\1[(\2) ^ 1]"]),
    "guard": (re.compile(r"\bif (\((?:[^()]|\([^()]*\))*\))"), ["if (1)"]),
}


def right():
    """Return the right kernels."""
    found = [Source(name, name[-3:], text, 4, _ARGUMENTS.get(name, _BOTH)) for name, text in _PLAIN.items()]
    for name, (local, arguments, needs) in GALLERY_NEEDS.items():
        if needs and name != "fallback-two-words":  # three hang, and a proof of that one takes minutes
            text = re.sub(r"//[^\n]*", "", (_PROGRESS / f"{name}.cl").read_text("utf-8"))
            longer = re.sub(r":(\d+)", lambda match: f":{int(match[1]) + 4}", arguments)
            found.append(Source(name, ".cl", text, local, longer))
    return found


def changes(source):
    """Yield each kind of change to a kernel, with the kernel that is made."""
    head = source.text.index("{")
    for kind, (pattern, others) in _CHANGES.items():
        for match in pattern.finditer(source.text, head):
            for other in others:
                text = source.text[: match.start()] + match.expand(other) + source.text[match.end() :]
                yield kind, source._replace(text=text)


def faulty(count, seed=1):
    """Return so many changed kernels, each with the kind of its change, of all kernels as evenly as they allow."""
    drawn = random.Random(seed)
    every = [(kind, made) for source in right() for kind, made in changes(source)]
    drawn.shuffle(every)
    return every[:count]
