"""Kernels as trees: types, expressions, places and statements, and the types of expressions.

They have numbers of all widths, casts, structures, unions, vectors, arrays, pointers, loops, branches, helper
functions, a pointer that may be null, and variables that are not set on all ways. Each thread writes to its own part of
`out` only, so all threads can run one after the other.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Int:
    """An integer type by its width in bits."""

    bits: int
    is_signed: bool

    def wrapped(self, value):
        """Return a number as this type holds it."""
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if self.is_signed and value >> (self.bits - 1) else value


@dataclass(frozen=True, slots=True)
class Array:
    """An array type."""

    of: object
    count: int


@dataclass(frozen=True, slots=True)
class Record:
    """A structure or a union without gaps: its name, and the names and types of its members."""

    name: str
    members: tuple
    is_union: bool = False


@dataclass(frozen=True, slots=True)
class Vector:
    """A vector type of OpenCL C. In CUDA, it is a structure."""

    of: Int
    count: int


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer to private memory."""

    of: object


CHAR, SHORT, INT, LONG = (Int(bits, is_signed=True) for bits in (8, 16, 32, 64))
UCHAR, USHORT, UINT, ULONG = (Int(bits, is_signed=False) for bits in (8, 16, 32, 64))
INTS = (CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG)
#: The names of integer types in each language.
NAMES = {
    "cl": dict(zip(INTS, ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"), strict=True)),
    "cu": dict(
        zip(
            INTS,
            (
                *("signed char", "unsigned char", "short", "unsigned short"),
                *("int", "unsigned", "long long", "unsigned long long"),
            ),
            strict=True,
        )
    ),
}
LANES = "xyzw"


def size_of(type_):
    """Return the bytes of a type."""
    match type_:
        case Int(bits=bits):
            return bits // 8
        case Array(of=of, count=count) | Vector(of=of, count=count):
            return size_of(of) * count
        case Record(members=members, is_union=is_union):
            return (max if is_union else sum)(size_of(of) for _, of in members)


def offset_of(record, name):
    """Return where a member of a structure or a union begins, and its type."""
    at = 0
    for member, of in record.members:
        if member == name:
            return (0 if record.is_union else at), of
        at += size_of(of)
    raise AssertionError(name)


@dataclass(frozen=True, slots=True)
class Const:
    type: Int
    value: int


@dataclass(frozen=True, slots=True)
class Thread:
    """The global id. It has the type `size_t` in OpenCL C, and `unsigned` in CUDA."""


@dataclass(frozen=True, slots=True)
class SizeOf:
    """A number of the type `size_t`."""

    of: object


@dataclass(frozen=True, slots=True)
class Input:
    """An element of `in`, whose number is taken modulo its size."""

    index: object


@dataclass(frozen=True, slots=True)
class Masked:
    """An element of `mask`, or another value if `mask` is null."""

    index: object
    otherwise: object
    spelling: int


@dataclass(frozen=True, slots=True)
class Load:
    place: object


@dataclass(frozen=True, slots=True)
class ByteOf:
    """A byte of a place, as a pointer to bytes reads it."""

    place: object
    number: int


@dataclass(frozen=True, slots=True)
class Cast:
    type: Int
    of: object


@dataclass(frozen=True, slots=True)
class Unary:
    operator: str
    of: object


@dataclass(frozen=True, slots=True)
class Binary:
    operator: str
    one: object
    other: object


@dataclass(frozen=True, slots=True)
class Choice:
    test: object
    one: object
    other: object


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a helper, which gets a number and the address of a place."""

    helper: str
    of: object
    place: object


@dataclass(frozen=True, slots=True)
class Lanes:
    """A vector of expressions."""

    type: Vector
    parts: tuple


@dataclass(frozen=True, slots=True)
class OfLanes:
    """An operation on two vectors of one type."""

    operator: str
    one: object
    other: object


@dataclass(frozen=True, slots=True)
class Var:
    name: str
    type: object


@dataclass(frozen=True, slots=True)
class Member:
    of: object
    name: str


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array, whose number is taken modulo its size."""

    of: object
    index: object


@dataclass(frozen=True, slots=True)
class Lane:
    of: object
    number: int


@dataclass(frozen=True, slots=True)
class Target:
    """What a pointer points to."""

    of: Var


@dataclass(frozen=True, slots=True)
class Declare:
    var: Var
    value: object = None


@dataclass(frozen=True, slots=True)
class Point:
    """Let a pointer point to a place, or to one of two."""

    var: Var
    place: object
    test: object = None
    other: object = None
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class Assign:
    place: object
    operator: str
    value: object


@dataclass(frozen=True, slots=True)
class SetByte:
    place: object
    number: int
    value: object


@dataclass(frozen=True, slots=True)
class If:
    test: object
    then: tuple
    otherwise: tuple


@dataclass(frozen=True, slots=True)
class Switch:
    of: object
    cases: tuple
    has_default: bool


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of so many rounds, which a test may end earlier or whose round a test may end."""

    name: str
    rounds: int
    body: tuple
    leave: object = None
    is_continue: bool = False


@dataclass(frozen=True, slots=True)
class Store:
    """Write a number to a place of `out`, or with bytes to one of its bytes."""

    number: int
    value: object
    is_byte: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    body: tuple


@dataclass
class Helper:
    """A function `T name(T x, T *p)` that returns an expression."""

    name: str
    type: Int
    body: tuple
    result: object


@dataclass
class Kernel:
    """A kernel: the element types of its arrays, its scalars, its records and helpers, and what it does."""

    name: str
    out: Int
    given: Int
    scalars: tuple
    records: tuple = ()
    helpers: tuple = ()
    body: tuple = ()
    stores: int = 0
    uses_mask: bool = False


#: How many elements of `in` there are.
INPUTS = 8


def promoted(type_):
    """Return the type that a number of a type has in arithmetic."""
    return INT if type_.bits < 32 else type_


def common(one, other):
    """Return the type of an operation on numbers of two types."""
    one, other = promoted(one), promoted(other)
    if one.is_signed == other.is_signed:
        return max(one, other, key=lambda type_: type_.bits)
    signed, unsigned = (one, other) if one.is_signed else (other, one)
    return unsigned if unsigned.bits >= signed.bits else signed


#: What `size_t` and the global id are: set while a kernel is looked at, because both differ between languages.
SIZES = {"size_t": ULONG, "thread": ULONG}


def place_type(place):
    """Return the type of a place."""
    match place:
        case Var(type=type_):
            return type_
        case Member(of=of, name=name):
            return offset_of(place_type(of), name)[1]
        case Element(of=of):
            return place_type(of).of
        case Lane(of=of):
            return place_type(of).of
        case Target(of=of):
            return of.type.of


def type_of(one):  # noqa: C901, PLR0911  (one for each kind)
    """Return the type of an expression."""
    match one:
        case Const(type=type_) | Cast(type=type_) | Lanes(type=type_):
            return type_
        case Thread():
            return SIZES["thread"]
        case SizeOf():
            return SIZES["size_t"]
        case Input() | Masked():
            return LONG  # generated behind a cast only
        case Load(place=place):
            return place_type(place)
        case ByteOf():
            return UCHAR
        case Unary(operator=operator, of=of):
            return INT if operator == "!" else promoted(type_of(of))
        case Binary(operator=operator, one=first, other=other):
            if operator in {"<", "<=", "==", "!=", ">", "&&", "||"}:
                return INT
            return promoted(type_of(first)) if operator in {"<<", ">>"} else common(type_of(first), type_of(other))
        case Choice(one=first, other=other):
            return common(type_of(first), type_of(other))
        case OfLanes(one=first):
            return type_of(first)
    raise AssertionError(one)
