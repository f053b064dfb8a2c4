"""Typed programs that have no fault in a launch of two groups of four threads, and are proven to have none.

`ID` stands for the two lines that compute the global id `g`. All scalars are called `n` or `m`.
"""

from synth_kernels.text import parse

ID = "b = mul gid.0, lsize.0\ng = add b, lid.0"
#: What scans, sums and loops with barriers need: both threads are in the same round, and no access is pending.
TOGETHER = """
t0 = uniform enabled
candidate t0
t1 = uniform i
candidate t1
t2 = not write.T
candidate t2
t3 = not read.T
candidate t3"""

#: By name: declarations, and then the blocks, of which the first has no name.
KERNELS = {
    "copy": ("global A: i32\nglobal B: i32", "ID\nx = read i32 B[g]\nwrite i32 A[g] = x\nreturn"),
    "copy of the first": (
        "global A: i32\nglobal B: i32\nscalar n: i32",
        "ID\nc = ult g, n\nbranch c ? in : out\nin:\nx = read i32 B[g]\nwrite i32 A[g] = x\njump out\nout:\nreturn",
    ),
    "neighbour": (
        "local T: i32\nglobal A: i32",
        (
            "ID\nwrite i32 T[lid.0] = g\nbarrier group local\ni = add lid.0, 1:i32\nj = and i, 3:i32\n"
            "x = read i32 T[j]\nwrite i32 A[g] = x\nreturn"
        ),
    ),
    "reversed": (
        "local T: i32\nglobal A: i32",
        (
            "ID\nwrite i32 T[lid.0] = g\nbarrier group local\ne = sub lsize.0, 1:i32\ni = sub e, lid.0\n"
            "x = read i32 T[i]\nwrite i32 A[g] = x\nreturn"
        ),
    ),
    "rotated in place": (
        "local T: i32\nglobal A: i32",
        (
            "ID\nwrite i32 T[lid.0] = g\nbarrier group local\ni = xor lid.0, 1:i32\nx = read i32 T[i]\n"
            "barrier group local\nwrite i32 T[lid.0] = x\nreturn"
        ),
    ),
    "pairs in global memory": (
        "global A: i32\nglobal B: i32",
        (
            "ID\nwrite i32 A[g] = lid.0\nbarrier group global\ni = xor lid.0, 1:i32\nj = add b, i\n"
            "x = read i32 A[j]\nwrite i32 B[g] = x\nreturn"
        ),
    ),
    "one for each group": (
        "global A: i32\nscalar n: i32",
        "c = eq lid.0, 0:i32\nbranch c ? in : out\nin:\nwrite i32 A[gid.0] = n\njump out\nout:\nreturn",
    ),
    "one reads all": (
        "local T: i32\nglobal A: i32",
        (
            "write i32 T[lid.0] = lid.0\nbarrier group local\nc = eq lid.0, 0:i32\nbranch c ? go : out\n"
            "go:\njump loop(0:i32, 0:i32)\nloop(i: i32, s: i32):\nd = ult i, lsize.0\nbranch d ? body : store\n"
            "body:\nx = read i32 T[i]\ns2 = add s, x\ni2 = add i, 1:i32\njump loop(i2, s2)\n"
            "store:\nwrite i32 A[gid.0] = s\njump out\nout:\nreturn"
        ),
    ),
    "sum by halves": (
        "local T: i32\nglobal A: i32",
        (
            "write i32 T[lid.0] = lid.0\nbarrier group local\njump loop(2:i32)\nloop(i: i32):TOGETHER\n"
            "t4 = ult i, 3:i32\ncandidate t4\n"
            "c = ult 0:i32, i\nbranch c ? body : store\nbody:\nd = ult lid.0, i\nbranch d ? add : wait\n"
            "add:\nj = add lid.0, i\nx = read i32 T[j]\ny = read i32 T[lid.0]\nz = add x, y\n"
            "write i32 T[lid.0] = z\njump wait\nwait:\nbarrier group local\nk = lshr i, 1:i32\njump loop(k)\n"
            "store:\ne = eq lid.0, 0:i32\nbranch e ? last : out\nlast:\nw = read i32 T[0:i32]\n"
            "write i32 A[gid.0] = w\njump out\nout:\nreturn"
        ),
    ),
    "scan": (
        "local T: i32\nscalar n: i32",
        (
            "jump loop(1:i32)\nloop(i: i32):TOGETHER\nc = ult i, n\nbranch c ? body : out\n"
            "body:\nfar = ule i, lid.0\nbranch far ? add : wait(0:i32)\nadd:\nj = sub lid.0, i\nx = read i32 T[j]\n"
            "jump wait(x)\nwait(y: i32):\nbarrier group local\nz = read i32 T[lid.0]\ns = add y, z\n"
            "write i32 T[lid.0] = s\nbarrier group local\nk = shl i, 1:i32\njump loop(k)\nout:\nreturn"
        ),
    ),
    "two buffers": (
        "local T: i32\nlocal U: i32\nglobal A: i32",
        (
            "ID\nwrite i32 T[lid.0] = g\nbarrier group local\ni = xor lid.0, 3:i32\nx = read i32 T[i]\n"
            "write i32 U[lid.0] = x\nbarrier group local\nj = xor lid.0, 1:i32\ny = read i32 U[j]\n"
            "write i32 A[g] = y\nreturn"
        ),
    ),
    "columns": (
        "global A: i32",
        "r = mul lid.0, groups.0\np = add r, gid.0\nwrite i32 A[p] = gid.0\nreturn",
    ),
    "even and odd": (
        "global A: i32",
        "ID\np = shl g, 1:i32\nq = add p, 1:i32\nwrite i32 A[p] = lid.0\nwrite i32 A[q] = gid.0\nreturn",
    ),
    "wide": ("global A: i32", "ID\np = shl g, 1:i32\nv = zext g to i64\nwrite i64 A[p] = v\nreturn"),
    "a counter": ("global A: i32\nglobal B: i32", "ID\nx = atomic i32 A[0:i32]\nwrite i32 B[g] = x\nreturn"),
    "histogram": (
        "local T: i32\nglobal A: i32\nglobal B: i32",
        (
            "ID\nwrite i32 T[lid.0] = 0:i32\nbarrier group local\nx = read i32 B[g]\ny = and x, 3:i32\n"
            "z = atomic i32 T[y]\nbarrier group local\nw = read i32 T[lid.0]\nwrite i32 A[g] = w\nreturn"
        ),
    ),
    "far apart": (
        "global A: i32\nscalar n: i32",
        (
            "ID\njump loop(g)\nloop(i: i32):\n"
            "w0 = and watched, 7:i32\nw1 = eq w0, g\nw2 = not write.A\nw3 = or w1, w2\n"
            "candidate w3\ni0 = and i, 7:i32\ni1 = eq i0, g\ncandidate i1\nc = ult i, n\nbranch c ? body : out\n"
            "body:\nwrite i32 A[i] = g\nk = add i, 8:i32\njump loop(k)\nout:\nreturn"
        ),
    ),
    "two in a row": (
        "global A: i32",
        (
            "ID\nr = shl g, 1:i32\njump loop(0:i32)\nloop(i: i32):\nw0 = lshr watched, 1:i32\nw1 = eq w0, g\n"
            "w2 = not write.A\nw3 = or w1, w2\ncandidate w3\nc = ult i, 2:i32\nbranch c ? body : out\n"
            "body:\np = add r, i\nwrite i32 A[p] = lid.0\nk = add i, 1:i32\njump loop(k)\nout:\nreturn"
        ),
    ),
    "rounds": (
        "local T: i32\nscalar n: i32",
        (
            "jump loop(0:i32)\nloop(i: i32):TOGETHER\nc = ult i, n\nbranch c ? body : out\n"
            "body:\nwrite i32 T[lid.0] = i\nbarrier group local\nj = xor lid.0, 1:i32\nx = read i32 T[j]\n"
            "barrier group local\nk = add i, 1:i32\njump loop(k)\nout:\nreturn"
        ),
    ),
    "all write one value": (
        "local T: i32\nglobal A: i32\nscalar n: i32",
        (
            "ID\nc = ult lid.0, n\nbranch c ? in : wait\nin:\nwrite i32 T[0:i32] = 1:i32\njump wait\n"
            "wait:\nbarrier group local\nx = read i32 T[0:i32]\nwrite i32 A[g] = x\nreturn"
        ),
    ),
    "the last group": (
        "global A: i32",
        (
            "e = sub groups.0, 1:i32\nc = ult gid.0, e\nbranch c ? out : in\nin:\nwrite i32 A[lid.0] = 1:i32\n"
            "jump out\nout:\nreturn"
        ),
    ),
    "two parts of a row": (
        "global A: i32",
        (
            "r = shl gid.0, 3:i32\np = add r, lid.0\nq = add p, 4:i32\nwrite i32 A[p] = gid.0\n"
            "write i32 A[q] = lid.0\nreturn"
        ),
    ),
    "early return": (
        "global A: i32\nscalar n: i32",
        (
            "ID\nc = ule n, g\nbranch c ? out : in\nin:\nx = read i32 A[g]\ny = add x, 1:i32\nwrite i32 A[g] = y\n"
            "jump out\nout:\nreturn"
        ),
    ),
    "the whole launch waits": (
        "global A: i32\nglobal B: i32",
        "ID\nwrite i32 A[g] = g\nbarrier grid global\ni = xor g, 4:i32\nx = read i32 A[i]\nwrite i32 B[g] = x\nreturn",
    ),
    "a value for the group": (
        "local T: i32\nglobal A: i32\nscalar n: i32",
        (
            "ID\nc = eq lid.0, 0:i32\nbranch c ? in : wait\nin:\nwrite i32 T[0:i32] = n\njump wait\n"
            "wait:\nbarrier group local\nx = read i32 T[0:i32]\nwrite i32 A[g] = x\nreturn"
        ),
    ),
    "two steps of a sum": (
        "local T: i32",
        (
            "write i32 T[lid.0] = lid.0\nbarrier group local\nc = ult lid.0, 2:i32\nbranch c ? one : wait\n"
            "one:\ni = add lid.0, 2:i32\nx = read i32 T[i]\ny = read i32 T[lid.0]\nz = add x, y\n"
            "write i32 T[lid.0] = z\njump wait\nwait:\nbarrier group local\nd = ult lid.0, 1:i32\n"
            "branch d ? two : out\ntwo:\nu = read i32 T[1:i32]\nv = read i32 T[0:i32]\nw = add u, v\n"
            "write i32 T[0:i32] = w\njump out\nout:\nreturn"
        ),
    ),
    "both memories": (
        "local T: i32\nglobal A: i32\nglobal B: i32",
        (
            "ID\nwrite i32 T[lid.0] = g\nwrite i32 A[g] = g\nbarrier group local global\ni = xor lid.0, 2:i32\n"
            "x = read i32 T[i]\nj = add b, i\ny = read i32 A[j]\nz = add x, y\nwrite i32 B[g] = z\nreturn"
        ),
    ),
    "filled by a part": (
        "local T: i32\nglobal A: i32\nglobal B: i32",
        (
            "ID\nc = ult lid.0, 2:i32\nbranch c ? in : wait\nin:\nwrite i32 T[lid.0] = 1:i32\n"
            "i = add lid.0, 2:i32\nwrite i32 T[i] = 2:i32\nwrite i32 A[g] = 3:i32\njump wait\n"
            "wait:\nbarrier group local global\nx = read i32 T[lid.0]\nj = and lid.0, 1:i32\nk = add b, j\n"
            "y = read i32 A[k]\nwrite i32 B[g] = y\nreturn"
        ),
    ),
}


def kernels():
    """Return the kernels by name."""
    found = {}
    for name, (declared, body) in KERNELS.items():
        lines = body.replace("TOGETHER", TOGETHER).replace("ID\n", f"{ID}\n")
        found[name] = parse(f"kernel k\n{declared}\nentry:\n{lines}\n")
    return found
