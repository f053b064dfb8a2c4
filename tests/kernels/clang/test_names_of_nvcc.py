"""Names that nvcc has without any header: constants, types, and functions on words, against Python's own arithmetic."""

import operator
import random

import pytest

from support.launches import space_of
from synth_kernels.clang.toolchain import STUBS
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.program import Kernel

WORD = (1 << 32) - 1


def signed(value, width=32):
    """A number of so many bits, which may be negative."""
    value &= (1 << width) - 1
    return value - (value >> width - 1 << width)


def parts(word, width, *, is_signed):
    """The numbers of a word, the lowest first."""
    found = [word >> at & (1 << width) - 1 for at in range(0, 32, width)]
    return [signed(number, width) for number in found] if is_signed else found


def together(numbers, width):
    return sum((number & (1 << width) - 1) << at for number, at in zip(numbers, range(0, 32, width), strict=True))


def limited(value, width, *, is_signed):
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    return min(max(value, low), high)


def rounded(total):
    """Half of a number, and what is in the middle goes away from zero."""
    return (abs(total) + 1) // 2 * (1 if total >= 0 else -1)


#: What each part of a word becomes, and whether the parts are signed numbers. A name that ends with `ss` or `us` gives
#: the nearest number that a part holds.
PARTS = {
    "add": (False, lambda a, b: a + b),
    "addss": (True, lambda a, b: a + b),
    "addus": (False, lambda a, b: a + b),
    "sub": (False, lambda a, b: a - b),
    "subss": (True, lambda a, b: a - b),
    "subus": (False, lambda a, b: a - b),
    "neg": (True, lambda a, _: -a),
    "negss": (True, lambda a, _: -a),
    "abs": (True, lambda a, _: abs(a)),
    "absss": (True, lambda a, _: abs(a)),
    "absdiffs": (True, lambda a, b: abs(a - b)),
    "absdiffu": (False, lambda a, b: abs(a - b)),
    "avgs": (True, lambda a, b: rounded(a + b)),
    "avgu": (False, lambda a, b: rounded(a + b)),
    "haddu": (False, lambda a, b: (a + b) // 2),
    "maxs": (True, max),
    "maxu": (False, max),
    "mins": (True, min),
    "minu": (False, min),
}
COMPARED = {
    "eq": (False, operator.eq),
    "ne": (False, operator.ne),
    **{f"{name}{sign}": (sign == "s", getattr(operator, name)) for name in ("ge", "gt", "le", "lt") for sign in "su"},
}
for _name, (_is_signed, _test) in COMPARED.items():
    PARTS[f"cmp{_name}"] = (_is_signed, lambda a, b, test=_test: -test(a, b))
    PARTS[f"set{_name}"] = (_is_signed, lambda a, b, test=_test: +test(a, b))


def by_parts(name, width):
    is_signed, each = PARTS[name]

    def limit(value):
        return limited(value, width, is_signed=is_signed) if name.endswith(("ss", "us")) else value

    def function(x, y, _z):
        pairs = zip(parts(x, width, is_signed=is_signed), parts(y, width, is_signed=is_signed), strict=True)
        return together([limit(each(a, b)) for a, b in pairs], width)

    return function


def byte_perm(x, y, digits):
    """The bytes of two words that the digits of a third one number from 0 to 7."""
    eight = x.to_bytes(4, "little") + y.to_bytes(4, "little")
    return int.from_bytes(bytes(eight[digits >> 4 * number & 7] for number in range(4)), "little")


def sums_of_products(x, y, z, width, first, *, is_signed):
    """The sum of products of parts of `x`, of so many bits, and bytes of `y` from one of them on, and of `z`."""
    bytes_ = parts(y, 8, is_signed=is_signed)[first:]
    return z + sum(a * b for a, b in zip(parts(x, width, is_signed=is_signed), bytes_, strict=False))


def differences(width, *, is_signed):
    return lambda x, y, _z: sum(
        abs(a - b)
        for a, b in zip(parts(x, width, is_signed=is_signed), parts(y, width, is_signed=is_signed), strict=True)
    )


#: What a call with the words x, y and z gives.
CALLS = {
    "__byte_perm(x, y, z)": byte_perm,
    "__mul24(x, y)": lambda x, y, _: signed(x, 24) * signed(y, 24),
    "__umul24(x, y)": lambda x, y, _: (x & 0xFFFFFF) * (y & 0xFFFFFF),
    "__mulhi(x, y)": lambda x, y, _: signed(x) * signed(y) >> 32,
    "__umulhi(x, y)": lambda x, y, _: x * y >> 32,
    "__mul64hi(X, Y)": lambda x, y, z: signed(x << 32 | z, 64) * signed(y << 32 | z, 64) >> 64,
    "__umul64hi(X, Y)": lambda x, y, z: (x << 32 | z) * (y << 32 | z) >> 64,
    "__popc(x)": lambda x, _, __: x.bit_count(),
    "__popcll(X)": lambda x, _, z: x.bit_count() + z.bit_count(),
    "__clz(x)": lambda x, _, __: 32 - x.bit_length(),
    "__clzll(X)": lambda x, _, z: 64 - (x << 32 | z).bit_length(),
    "__ffs(x)": lambda x, _, __: (x & -x).bit_length(),
    "__ffsll(X)": lambda x, _, z: ((x << 32 | z) & -(x << 32 | z)).bit_length(),
    "__brev(x)": lambda x, _, __: int(f"{x:032b}"[::-1], 2),
    "__brevll(X)": lambda x, _, __: int(f"{x:032b}"[::-1], 2),
    "__brevll(X) >> 32": lambda _, __, z: int(f"{z:032b}"[::-1], 2),
    "__sad(x, y, z)": lambda x, y, z: z + abs(signed(x) - signed(y)),
    "__usad(x, y, z)": lambda x, y, z: z + abs(x - y),
    "__hadd(x, y)": lambda x, y, _: (signed(x) + signed(y)) // 2,
    "__rhadd(x, y)": lambda x, y, _: (signed(x) + signed(y) + 1) // 2,
    "__uhadd(x, y)": lambda x, y, _: (x + y) // 2,
    "__urhadd(x, y)": lambda x, y, _: (x + y + 1) // 2,
    "__funnelshift_l(x, y, z)": lambda x, y, z: (y << 32 | x) << z % 32 >> 32,
    "__funnelshift_lc(x, y, z)": lambda x, y, z: (y << 32 | x) << min(z, 32) >> 32,
    "__funnelshift_r(x, y, z)": lambda x, y, z: (y << 32 | x) >> z % 32,
    "__funnelshift_rc(x, y, z)": lambda x, y, z: (y << 32 | x) >> min(z, 32),
    "__dp4a((int)x, (int)y, (int)z)": lambda *w: sums_of_products(*w, 8, 0, is_signed=True),
    "__dp4a(x, y, z)": lambda *w: sums_of_products(*w, 8, 0, is_signed=False),
    "__dp2a_lo((int)x, (int)y, (int)z)": lambda *w: sums_of_products(*w, 16, 0, is_signed=True),
    "__dp2a_lo(x, y, z)": lambda *w: sums_of_products(*w, 16, 0, is_signed=False),
    "__dp2a_hi((int)x, (int)y, (int)z)": lambda *w: sums_of_products(*w, 16, 2, is_signed=True),
    "__dp2a_hi(x, y, z)": lambda *w: sums_of_products(*w, 16, 2, is_signed=False),
    "__vsads2(x, y)": differences(16, is_signed=True),
    "__vsadu2(x, y)": differences(16, is_signed=False),
    "__vsads4(x, y)": differences(8, is_signed=True),
    "__vsadu4(x, y)": differences(8, is_signed=False),
    "min((int)x, (int)y)": lambda x, y, _: min(signed(x), signed(y)),
    "min(x, (int)y)": lambda x, y, _: min(x, y),
    "umax(x, y)": lambda x, y, _: max(x, y),
    "__float_as_uint(__uint_as_float(x & 0x7effffff))": lambda x, _, __: x & 0x7EFFFFFF,
    "__double2hiint(__hiloint2double(x & 0x7effffff, y))": lambda x, _, __: x & 0x7EFFFFFF,
    "__double2loint(__hiloint2double(x & 0x7effffff, y))": lambda _, y, __: y,
}
for _name in PARTS:
    _given = "(x)" if _name in {"neg", "negss", "abs", "absss"} else "(x, y)"
    CALLS[f"__v{_name}2{_given}"] = by_parts(_name, 16)
    CALLS[f"__v{_name}4{_given}"] = by_parts(_name, 8)
#: Words with the numbers at which the functions have their corners, and others.
CORNERS = [0, 1, 0x80008000, 0x7FFF7FFF, 0x80808080, 0x7F7F7F7F, 0x80000000, 0x7FFFFFFF, WORD, 0x00FF00FF, 0x01018000]


def rows_of_words():
    made = random.Random(46)
    corners = [tuple(made.choice(CORNERS) for _ in range(3)) for _ in range(24)]
    return corners + [tuple(made.getrandbits(32) for _ in range(3)) for _ in range(8)]


@pytest.mark.full
def test_functions_on_words_give_what_python_gives(tmp_path):
    rows = rows_of_words()
    path = tmp_path / "k.cu"
    lines = "\n".join(f"        *out++ = {call};" for call in CALLS)
    path.write_text(f"""__global__ void k(const unsigned *in, unsigned *out) {{
    for (int row = 0; row < {len(rows)}; row++) {{
        const unsigned x = in[3 * row], y = in[3 * row + 1], z = in[3 * row + 2];
        const unsigned long long X = (unsigned long long)x << 32 | z, Y = (unsigned long long)y << 32 | z;
{lines}
    }}
}}
""")
    (kernel,) = read(path, SourceOptions())
    assert isinstance(kernel, Kernel), kernel
    given = ",".join(str(word) for row in rows for word in row)
    space = space_of(kernel, 1, 1, [f"in={given}", f"out=0:{len(rows) * len(CALLS)}"])
    (memory,) = {space.states[number][0] for number in range(len(space.states)) if not space.live[number]}
    found = iter(memory[3 * len(rows) :])
    wrong = [
        (call, *map(hex, row), hex(got), hex(function(*row) & WORD))
        for row in rows
        for call, function in CALLS.items()
        if (got := next(found)) != function(*row) & WORD
    ]
    assert wrong == []


def test_all_functions_on_parts_of_words_are_compared():
    text = (STUBS / "cuda" / "synth_numbers.h").read_text("utf-8")
    declared = {line.split("(")[1].split(",")[0] for line in text.splitlines() if line.startswith("SYNTH_PARTS(")}
    compared = {line.split("(")[1].split(",")[0] for line in text.splitlines() if line.startswith("SYNTH_COMPARED(")}
    assert declared | {f"{word}{name}" for word in ("cmp", "set") for name in compared} == set(PARTS)


NAMES = """
static_assert(CHAR_BIT == 8 && CHAR_MIN == -128 && CHAR_MAX == 127 && SCHAR_MAX == 127 && UCHAR_MAX == 255);
static_assert(SHRT_MIN == -32768 && SHRT_MAX == 32767 && USHRT_MAX == 65535);
static_assert(INT_MIN == -2147483647 - 1 && INT_MAX == 2147483647 && UINT_MAX == 4294967295u);
static_assert(LONG_MAX == 9223372036854775807 && ULONG_MAX == 18446744073709551615u && LLONG_MIN == -LLONG_MAX - 1);
static_assert(ULLONG_MAX == ~0ull && UINT32_MAX == ~0u && INT64_MAX == LONG_MAX && SIZE_MAX == ~0ull);
static_assert(FLT_MAX > 3.4e38f && FLT_MIN < 1.2e-38f && FLT_EPSILON == 0x1p-23f && DBL_EPSILON == 0x1p-52);
static_assert(DBL_MAX > 1.7e308 && FLT_DIG == 6 && DBL_MANT_DIG == 53);
static_assert(sizeof(uint) == 4 && sizeof(ushort) == 2 && sizeof(ulong) == 8 && (uint)-1 > 0 && (ushort)-1 > 0);
static_assert(sizeof(size_t) == 8 && sizeof(ptrdiff_t) == 8 && sizeof(clock_t) == 8 && sizeof(time_t) == 8);
static_assert(sizeof(int8_t) == 1 && sizeof(uint16_t) == 2 && sizeof(int32_t) == 4 && sizeof(uint64_t) == 8);
static_assert(sizeof(uint32_t) == 4 && sizeof(uintptr_t) == 8 && sizeof(int_fast8_t) >= 1 && sizeof(wchar_t) == 4);
static_assert(sizeof(uchar4) == 4 && sizeof(float3) == 12 && sizeof(double2) == 16 && alignof(int4) == 16);
static_assert(sizeof(longlong2) == 16 && sizeof(ushort4) == 8 && sizeof(dim3) == 12 && M_PI > 3.14 && NULL == 0);
__global__ void k(int *a) {
    const clock_t begun = clock();
    uint32_t word = INT_MAX;
    memset(a + blockIdx.x, 0, sizeof(int));
    a[blockIdx.x] = isnan(INFINITY) ? RAND_MAX : word + abs(-3) + (clock() - begun > 0 ? 0 : 0) + (NAN != NAN);
}
"""


@pytest.mark.full
@pytest.mark.parametrize("ending", ["cu", "hip"])
def test_constants_and_types_are_there_without_a_header(tmp_path, ending):
    (tmp_path / f"k.{ending}").write_text(NAMES)
    (kernel,) = read(tmp_path / f"k.{ending}", SourceOptions())
    assert isinstance(kernel, Kernel), kernel
