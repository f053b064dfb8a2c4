"""Random pairs of a kernel and a sequential version, as typed programs: half of them differ by a planted fault.

A kernel is a map, a stencil, a reversal in local memory, a tree or a scan, with an operator on integers or on floats.
"""

import random

INTEGERS, FLOATS = ("add", "xor", "mul", "max", "and"), ("fadd", "fmul", "fmax")

TREE = """kernel made
local T: i32
global A: i32
global B: i32
entry:
  x = read i32 A[{index}]
  write i32 T[lid.0] = x
  h = lshr lsize.0, 1:i32
  jump loop(h)
loop(d: i32):
  barrier group local
  c = ult 0:i32, d
  branch c ? body : done
body:
  near = ult lid.0, d
  branch near ? more : next
more:
  j = add lid.0, d
  p = read i32 T[j]
  q = read i32 T[lid.0]
{combine}
  write i32 T[lid.0] = r
  jump next
next:
  e = lshr d, 1:i32
  jump loop(e)
done:
  first = eq lid.0, 0:i32
  branch first ? out : end
out:
  z = read i32 T[0:i32]
  write i32 B[0:i32] = z
  jump end
end:
  return
"""
FOLD = """kernel f
global A: i32
global B: i32
entry:
  s = read i32 A[0:i32]
  jump loop(1:i32, s)
loop(i: i32, q: i32):
  c = ult i, {count}:i32
  branch c ? body : done
body:
  p = read i32 A[i]
{combine}
  j = add i, 1:i32
  jump loop(j, r)
done:
  write i32 B[0:i32] = q
  return
"""
LOCAL = """kernel made
local T: i32
global A: i32
global B: i32
entry:
  x = read i32 A[lid.0]
  write i32 T[lid.0] = x
  barrier group local
  m = sub lsize.0, {last}:i32
  k = sub m, lid.0
  y = read i32 T[k]
  write i32 B[lid.0] = y
  return
"""
REVERSED = """kernel f
global A: i32
global B: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  c = ult i, {count}:i32
  branch c ? body : done
body:
  k = sub {last}:i32, i
  p = read i32 A[k]
  write i32 B[i] = p
  j = add i, 1:i32
  jump loop(j)
done:
  return
"""
MAP = """kernel made
global A: i32
global B: i32
entry:
  i = add lid.0, 1:i32
  p = read i32 A[lid.0]
  q = read i32 A[i]
{combine}
  write i32 B[{index}] = r
  return
"""
MAPPED = """kernel f
global A: i32
global B: i32
entry:
  jump loop(0:i32)
loop(i: i32):
  c = ult i, {count}:i32
  branch c ? body : done
body:
  j = add i, 1:i32
  q = read i32 A[{second}]
  p = read i32 A[i]
{combine}
  write i32 B[i] = r
  jump loop(j)
done:
  return
"""
SCAN = """kernel made
local T: i32
global A: i32
global B: i32
entry:
  x = read i32 A[lid.0]
  write i32 T[lid.0] = x
  jump loop(1:i32)
loop(d: i32):
  c = ult d, lsize.0
  branch c ? body : done
body:
  barrier group local
  far = ule d, lid.0
  branch far ? look : wait(0:i32)
look:
  j = sub lid.0, d
  v = read i32 T[j]
  jump wait(v)
wait(p: i32):
  barrier group local
  branch far ? store : next
store:
  q = read i32 T[lid.0]
{combine}
  write i32 T[lid.0] = r
  jump next
next:
  e = shl d, {shift}:i32
  jump loop(e)
done:
  y = read i32 T[lid.0]
  write i32 B[lid.0] = y
  return
"""
SCANNED = """kernel f
global A: i32
global B: i32
entry:
  s = read i32 A[0:i32]
  write i32 B[0:i32] = s
  jump loop(1:i32, s)
loop(i: i32, q: i32):
  c = ult i, {count}:i32
  branch c ? body : done
body:
  p = read i32 A[i]
{combine}
  write i32 B[i] = r
  j = add i, 1:i32
  jump loop(j, r)
done:
  return
"""


def combine(operator, first="p", second="q"):
    """Lines that compute r."""
    match operator:
        case "max":
            return f"  less = slt {first}, {second}\n  r = select less, {second}, {first}"
        case "fmax":
            return f"  less = opaque i1 fcmp.olt({first}, {second})\n  r = select less, {second}, {first}"
        case _ if operator.startswith("f"):
            return f"  r = opaque i32 {operator}({first}, {second})"
        case _:
            return f"  r = {operator} {first}, {second}"


def pair(seed):
    """A kernel, its sequential version, the local size, and whether they are equal."""
    chance = random.Random(seed)
    is_wrong = bool(seed % 2)
    size = chance.choice([4, 8, 16])
    operator = chance.choice(INTEGERS + FLOATS)
    other = chance.choice(
        [integer for integer in (INTEGERS if operator in INTEGERS else FLOATS) if integer != operator]
    )
    fault = chance.choice(["operator", "off by one", "size"]) if is_wrong else ""
    theirs, mine = combine(other if fault == "operator" else operator), combine(operator, "q", "p")
    count = size - (fault == "off by one")
    match chance.choice(["tree", "map", "reverse", "scan"]):
        case "tree":
            size, count = (size - 1, count - 1) if fault == "size" else (size, count)
            return (
                TREE.format(index="lid.0", combine=mine),
                FOLD.format(count=count, combine=theirs),
                size,
                not is_wrong,
            )
        case "map":
            index, second = ("i" if fault == "off by one" else "lid.0"), ("i" if fault == "size" else "j")
            if fault == "size" and operator in {"and", "max", "fmax"}:
                second = "3:i32"
            made = MAP.format(combine=mine, index=index)
            return made, MAPPED.format(count=size, second=second, combine=theirs), size, not is_wrong
        case "reverse":
            last = {"operator": 1, "off by one": 0, "size": 2}.get(fault, 1)
            if fault == "operator":
                count -= 2
            return LOCAL.format(last=last), REVERSED.format(count=count, last=size - 1), size, not is_wrong
        case _:
            shift = 2 if fault == "size" else 1
            return (
                SCAN.format(combine=mine, shift=shift),
                SCANNED.format(count=count, combine=theirs),
                size,
                not is_wrong,
            )
