"""Typed programs by rules of candidates: each is verified with all rules, and not without the one that it stands for.

All of them are verified for two groups of eight threads. `SUPERSEDED` has those for which other rules find what is
needed, too. There, a candidate of the rule is kept.
"""

#: A loop that moves what T holds to the left: `{}` is what follows the write.
_SHIFTED = """local T: i32
scalar n: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  c = ult i, n
  branch c ? body : out
body:
  j = add lid.0, 1:i32
  x = read i32 T[j]
  barrier group local
  write i32 T[lid.0] = x
{}  k = add i, 1:i32
  jump loop(k)
out:
  return"""
#: A loop with a counter: its value at entry, its test, its step, and a claim behind the loop.
_COUNTED = """scalar n: i32
entry:
  jump loop({})
loop(i: i32):
  {}
  branch c ? body : out
body:
  {}
  jump loop(k)
out:
  {}
  assert a
  return"""
_PRODUCT = """scalar n: i32
entry:
  {}
loop(i: i32, d: i32):
  c = ult 1:i32, d
  branch c ? body : out
body:
  j = shl i, 1:i32
  e = lshr d, 1:i32
  jump loop(j, e)
out:
  p = mul i, d
  a = eq p, {}:i32
  assert a
  return"""
#: Writes at places that are read from somewhere.
_SCATTER = """global A: i32
global B: i32
scalar n: i32
entry:
  {}
  jump loop(0:i32)
loop(i: i32):
  c = ult i, n
  branch c ? body : out
body:
  x = read i32 B[i]
  {}
  k = add i, 1:i32
  jump loop(k)
out:
  return"""
_TWO_BLOCKS = (
    "d = mul gid.0, 64:i32\n  e = mul lid.0, 64:i32\n  f = add d, e\n  t = eq lid.0, 0:i32",
    (
        "branch t ? here : on\nhere:\n  y = and x, 63:i32\n  p = add f, y\n  write i32 A[p] = i\n"
        "  z = and x, 31:i32\n  q = add f, z\n  write i32 A[q] = n\n  jump on\non:"
    ),
)

ESSENTIAL = {
    "r0": _SCATTER.format(
        "b = mul gid.0, 8:i32\n  g = add b, lid.0\n  f = mul g, 4:i32",
        "y = and x, 3:i32\n  p = add f, y\n  write i32 A[p] = i",
    ),
    "r1": """global A: i32
scalar n: i32
entry:
  b = mul gid.0, 8:i32
  h = add b, lid.0
  g = xor h, 5:i32
  jump loop(g)
loop(i: i32):
  c = ult i, n
  branch c ? body : out
body:
  x = any i32
  write i32 A[i] = x
  k = add i, 16:i32
  jump loop(k)
out:
  return""",
    "r2": _SCATTER.format(*_TWO_BLOCKS),
    "r3": _SCATTER.format(*_TWO_BLOCKS),
    "r7": """scalar n: i32
entry:
  s = slt n, 1000:i32
  assume s
  e = add lid.0, n
  jump loop(lid.0)
loop(i: i32):
  c = slt i, e
  branch c ? body : out
body:
  barrier group local
  k = add i, 1:i32
  jump loop(k)
out:
  return""",
    "r8": _COUNTED.format("5:i32", "c = slt i, n", "x = any i32\n  k = and x, 1023:i32", "a = sle 0:i32, i"),
    "r9": """local T: i32
entry:
  jump loop(4:i32)
loop(i: i32):
  c = ult 0:i32, i
  branch c ? body : out
body:
  d = ult lid.0, i
  branch d ? one : wait
one:
  j = add lid.0, i
  x = read i32 T[j]
  write i32 T[lid.0] = x
  jump wait
wait:
  a = ule i, 4:i32
  assert a
  barrier group local
  k = lshr i, 1:i32
  jump loop(k)
out:
  return""",
    "r10": _COUNTED.format(
        "n", "c = ult i, 99:i32", "k = add i, 4:i32", "x = sub i, n\n  y = and x, 3:i32\n  a = eq y, 0:i32"
    ),
    "r11": _SHIFTED.format("  barrier group local\n"),
    "r12": """local T: i32
global B: i32
scalar n: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  c = ult i, n
  branch c ? body : out
body:
  write i32 T[lid.0] = i
  barrier group local
  j = read i32 B[lid.0]
  x = read i32 T[j]
  barrier group local
  k = add i, 1:i32
  jump loop(k)
out:
  return""",
    "r13": _SHIFTED.format("  barrier group local\n"),
    "r14": _COUNTED.format(
        "1:i32", "c = ult i, n", "k = shl i, 1:i32", "x = sub i, 1:i32\n  y = and i, x\n  a = eq y, 0:i32"
    ),
    "r15": _COUNTED.format(
        "64:i32",
        "d = eq i, 1:i32\n  c = not d",
        "b = eq i, 0:i32\n  e = not b\n  assert e\n  k = lshr i, 1:i32",
        "a = eq i, 1:i32",
    ),
    "r16": _SHIFTED.format("  barrier group local\n"),
    "r17": _PRODUCT.format(
        "s = eq n, 0:i32\n  branch s ? one : two\none:\n  jump loop(1:i32, 8:i32)\ntwo:\n  jump loop(2:i32, 4:i32)", 8
    ),
    "r19": _SCATTER.format(
        "b = mul gid.0, 8:i32\n  h = add b, lid.0\n  g = xor h, 5:i32\n  f = mul g, 8:i32\n"
        "  s = eq n, 4:i32\n  assume s",
        "p = add f, i\n  write i32 A[p] = x\n  q = add p, 4:i32\n  write i32 A[q] = x",
    ),
    "r20": _COUNTED.format("0:i32", "c = ult i, 8:i32", "k = add i, 1:i32", "a = eq i, 8:i32"),
    "r21": _SCATTER.format(
        "b = mul gid.0, 8:i32\n  g = add b, lid.0\n  t = eq g, 3:i32",
        "branch t ? here : on\nhere:\n  write i32 A[x] = i\n  jump on\non:",
    ),
    "r22": _COUNTED.format("0:i32", "d = eq i, n\n  c = not d", "k = sub 1:i32, i", "a = ule i, 1:i32"),
    "r23": _PRODUCT.format("jump loop(1:i32, 1048576:i32)", 1 << 20),
    "r24": """local T: i32
scalar n: i32
entry:
  jump loop(1:i32, 8:i32)
loop(i: i32, d: i32):
  c = ult 0:i32, d
  branch c ? body : out
body:
  barrier group local
  t = ult lid.0, d
  branch t ? one : on
one:
  j = mul lid.0, i
  write i32 T[j] = i
  jump on
on:
  k = shl i, 1:i32
  e = lshr d, 1:i32
  jump loop(k, e)
out:
  z = eq lid.0, 0:i32
  branch z ? last : done
last:
  write i32 T[0:i32] = n
  return
done:
  return""",
    "r25": """local T: i32
scalar n: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  c = ult i, 24:i32
  branch c ? body : out
body:
  j = xor lid.0, i
  write i32 T[j] = lid.0
  k = add i, 8:i32
  jump loop(k)
out:
  return""",
    "r26": """global A: i32
scalar n: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  c = ult i, n
  branch c ? body : out
body:
  write i32 A[lid.0] = lid.0
  k = add i, 1:i32
  jump loop(k)
out:
  return""",
    "r27": """local T: i32
global A: i32
scalar n: i32
entry:
  e = any event i32
  barrier group same e
  x = read i32 A[0:i32] for 8:i32 event e
  write i32 T[0:i32] = x for 8:i32 event e
  jump loop(0:i32, e)
loop(i: i32, f: i32):
  c = ult i, n
  branch c ? body : out
body:
  barrier group same f waits f
  barrier group local
  y = read i32 T[lid.0]
  barrier group local
  k = add i, 8:i32
  g = any event i32
  barrier group same k, g
  z = read i32 A[k] for 8:i32 event g
  write i32 T[0:i32] = z for 8:i32 event g
  jump loop(k, g)
out:
  return""",
    "r28": """global A: i32
global B: i32
scalar n: i32
scalar s: i32
entry:
  a = ule 16:i32, s
  assume a
  b = ult s, 2147483648:i32
  assume b
  g = mul gid.0, 8:i32
  t = add g, lid.0
  jump loop(t)
loop(i: i32):
  c = ult i, n
  branch c ? body : out
body:
  d = ult i, 536870912:i32
  assume d
  x = read i32 B[i]
  write i32 A[i] = x
  k = add i, s
  jump loop(k)
out:
  return""",
    "r29": """global A: i32
global B: i32
entry:
  b = mul gid.0, 32:i32
  f = add b, lid.0
  jump loop(f, 0:i32)
loop(i: i32, k: i32):
  c = ult k, 4:i32
  branch c ? body : out
body:
  x = read i32 B[i]
  write i32 A[i] = x
  j = add i, 8:i32
  l = add k, 1:i32
  jump loop(j, l)
out:
  return""",
}
#: Three values that change places in each round: the second form of r22.
BUFFERS = """scalar n: i32
entry:
  jump loop(0:i32, 3:i32, 4:i32, 6:i32)
loop(i: i32, p: i32, q: i32, r: i32):
  c = ult i, n
  branch c ? body : out
body:
  a = ule p, 6:i32
  x = eq p, q
  y = eq q, r
  z = or x, y
  b = not z
  d = and a, b
  assert d
  k = add i, 1:i32
  jump loop(k, q, r, p)
out:
  return"""
SUPERSEDED = {
    "r5": _COUNTED.format("0:i32", "c = ult i, n", "k = add i, 1:i32", "a = ule n, i"),
}


def text(rule):
    """Return the kernel of a rule."""
    return f"kernel k\n{(ESSENTIAL | SUPERSEDED)[rule]}\n"
