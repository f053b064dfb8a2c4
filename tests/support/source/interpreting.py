"""Run kernels as their sources say, byte by byte.

An unset variable holds an arbitrary value. Here each of its bytes is that of a *filling*, another one for each thread.
So what a run leaves is one of the results that the source has.
"""

from dataclasses import dataclass

from support.source.tree import (
    INPUTS,
    INT,
    SIZES,
    UCHAR,
    UINT,
    ULONG,
    Assign,
    Binary,
    Block,
    ByteOf,
    Call,
    Cast,
    Choice,
    Const,
    Declare,
    Element,
    If,
    Input,
    Int,
    Lane,
    Lanes,
    Load,
    Loop,
    Masked,
    Member,
    OfLanes,
    Point,
    Pointer,
    SetByte,
    SizeOf,
    Store,
    Switch,
    Target,
    Thread,
    Unary,
    Var,
    Vector,
    common,
    offset_of,
    place_type,
    promoted,
    size_of,
    type_of,
)


@dataclass
class Launch:
    """A launch: the number of threads, the contents of arrays, and the bytes that unset variables of threads hold."""

    threads: int
    out: bytearray
    given: bytes
    mask: bytes | None
    scalars: dict
    fillings: tuple
    pointer_bits: int = 64
    language: str = "cl"


class _Run:
    """A thread that runs."""

    def __init__(self, kernel, launch, thread):
        self.kernel, self.launch, self.thread = kernel, launch, thread
        self.filling = launch.fillings[thread % len(launch.fillings)]
        self.size_t = Int(launch.pointer_bits, is_signed=False)
        self.thread_type = self.size_t if launch.language == "cl" else UINT
        self.scopes = [{}]
        for var in kernel.scalars:
            self.new(var)
            self.put(var, launch.scalars[var.name])

    # Memory is bytes; a place is bytes and where it begins there.

    def new(self, var):
        """Let the life of a variable begin."""
        size = 8 if isinstance(var.type, Pointer) else size_of(var.type)
        self.scopes[-1][var.name] = bytearray([self.filling]) * size

    def find(self, name):
        return next(scope[name] for scope in reversed(self.scopes) if name in scope)

    def at(self, place):
        """Return the bytes in which a place is, where it begins, and its type."""
        match place:
            case Var(name=name, type=type_):
                return self.find(name), 0, type_
            case Member(of=of, name=name):
                held, at, record = self.at(of)
                more, type_ = offset_of(record, name)
                return held, at + more, type_
            case Element(of=of, index=index):
                number = UINT.wrapped(self.value(index)[1]) % place_type(of).count
                held, at, array = self.at(of)
                return held, at + number * size_of(array.of), array.of
            case Lane(of=of, number=number):
                held, at, vector = self.at(of)
                return held, at + number * size_of(vector.of), vector.of
            case Target(of=of):
                return self.find(of.name)

    def got(self, place):
        """Return what a place holds: a number, or a tuple of numbers for a vector."""
        held, at, type_ = self.at(place)
        return _read(held, at, type_)

    def put(self, place, value):
        """Store a number, a vector, or the bytes of a record."""
        held, at, type_ = self.at(place)
        data = _bytes(type_, value)
        held[at : at + len(data)] = data

    def value(self, one):  # noqa: C901, PLR0911, PLR0912  (one for each kind)
        """Return the type and the value of an expression."""
        match one:
            case Const(type=type_, value=value):
                return type_, value
            case Thread():
                return self.thread_type, self.thread
            case SizeOf(of=of):
                return self.size_t, self.size_t.wrapped(self.value(of)[1])
            case Input(index=index):
                return self._element(self.launch.given, index)
            case Masked(index=index, otherwise=otherwise):
                if self.launch.mask is None:
                    type_, value = self.value(otherwise)
                else:
                    type_, value = self._element(self.launch.mask, index)
                whole = common(self.kernel.given, self._type(otherwise))
                return whole, whole.wrapped(value)
            case Load(place=place):
                _, _, type_ = self.at(place)
                return type_, self.got(place)
            case ByteOf(place=place, number=number):
                held, at, _ = self.at(place)
                return UCHAR, held[at + number]
            case Cast(type=type_, of=of):
                return type_, type_.wrapped(self.value(of)[1])
            case Unary(operator=operator, of=of):
                type_, value = self.value(of)
                if operator == "!":
                    return INT, int(not value)
                type_ = promoted(type_)
                return type_, type_.wrapped(-value if operator == "-" else ~value)
            case Binary(operator="&&", one=first, other=other):
                return INT, int(bool(self.value(first)[1]) and bool(self.value(other)[1]))
            case Binary(operator="||", one=first, other=other):
                return INT, int(bool(self.value(first)[1]) or bool(self.value(other)[1]))
            case Binary(operator=operator, one=first, other=other):
                return _computed(operator, *self.value(first), *self.value(other))
            case Choice(test=test, one=first, other=other):
                chosen = self.value(first if self.value(test)[1] else other)
                whole = common(self._type(first), self._type(other))
                return whole, whole.wrapped(chosen[1])
            case Call(helper=name, of=of, place=place):
                return self._called(name, of, place)
            case Lanes(type=type_, parts=parts):
                return type_, tuple(type_.of.wrapped(self.value(part)[1]) for part in parts)
            case OfLanes(operator=operator, one=first, other=other):
                type_, some = self.value(first)
                _, others = self.value(other)
                pairs = zip(some, others, strict=True)
                return type_, tuple(type_.of.wrapped(_computed(operator, ULONG, a, ULONG, b)[1]) for a, b in pairs)
        raise AssertionError(one)

    def _type(self, one):
        SIZES.update(size_t=self.size_t, thread=self.thread_type)
        return type_of(one)

    def _element(self, held, index):
        number = UINT.wrapped(self.value(index)[1]) % INPUTS
        given = self.kernel.given
        return given, _read(held, number * size_of(given), given)

    def _called(self, name, of, place):
        helper = next(helper for helper in self.kernel.helpers if helper.name == name)
        type_ = helper.type
        x, where = type_.wrapped(self.value(of)[1]), self.at(place)
        before, self.scopes = self.scopes, [{}]
        self.new(Var("x", type_))
        self.put(Var("x", type_), x)
        self.scopes[-1]["p"] = where
        self.body(helper.body)
        result = type_.wrapped(self.value(helper.result)[1])
        self.scopes = before
        return type_, result

    def body(self, some):
        """Run statements in a scope of their own. Those of a helper or a kernel have theirs already."""
        for statement in some:
            self.statement(statement)

    def inside(self, some):
        self.scopes.append({})
        try:
            self.body(some)
        finally:
            self.scopes.pop()

    def statement(self, one):  # noqa: C901, PLR0912  (one for each kind)
        match one:
            case Declare(var=var, value=value):
                found = None if value is None else self.value(value)[1]
                self.new(var)
                if found is not None:
                    self.put(var, found)
            case Point(var=var, place=place, test=test, other=other, is_new=is_new):
                chosen = place if test is None or self.value(test)[1] else other
                where = self.at(chosen)
                scope = self.scopes[-1] if is_new else next(s for s in reversed(self.scopes) if var.name in s)
                scope[var.name] = where
            case Assign(place=place, operator=operator, value=value):
                type_, found = self.value(value)
                if operator:
                    own = self.at(place)[2]
                    _, found = _computed(operator, own, self.got(place), type_, found)
                self.put(place, found)
            case SetByte(place=place, number=number, value=value):
                found = UCHAR.wrapped(self.value(value)[1])
                held, at, _ = self.at(place)
                held[at + number] = found
            case If(test=test, then=then, otherwise=otherwise):
                self.inside(then if self.value(test)[1] else otherwise)
            case Switch(of=of, cases=cases, has_default=has_default):
                number = UINT.wrapped(self.value(of)[1]) % (len(cases) + 1)
                if has_default:
                    self.inside(cases[min(number, len(cases) - 1)])
                elif number < len(cases):
                    self.inside(cases[number])
            case Loop(name=name, rounds=rounds, body=body, leave=leave, is_continue=is_continue):
                self.scopes.append({})
                self.new(Var(name, INT))
                for number in range(rounds):
                    self.put(Var(name, INT), number)
                    if leave is not None and self.value(leave)[1]:
                        if is_continue:
                            continue
                        break
                    self.inside(body)
                self.scopes.pop()
            case Store(number=number, value=value, is_byte=is_byte):
                found, each = self.value(value)[1], size_of(self.kernel.out)
                at = (self.thread * self.kernel.stores + number) * each
                data = _bytes(UCHAR if is_byte else self.kernel.out, found)
                self.launch.out[at : at + len(data)] = data
            case Block(body=body):
                self.inside(body)


def _read(held, at, type_):
    if isinstance(type_, Vector):
        each = size_of(type_.of)
        return tuple(_read(held, at + number * each, type_.of) for number in range(type_.count))
    if isinstance(type_, Int):
        return type_.wrapped(int.from_bytes(held[at : at + size_of(type_)], "little"))
    return bytes(held[at : at + size_of(type_)])


def _bytes(type_, value):
    if isinstance(value, bytes):
        return value
    if isinstance(type_, Vector):
        return b"".join(_bytes(type_.of, element) for element in value)
    return (value & ((1 << type_.bits) - 1)).to_bytes(size_of(type_), "little")


def _computed(operator, first, one, second, other):
    """Return the type and the value of an operation on numbers."""
    if operator in {"<<", ">>"}:
        type_ = promoted(first)
        by = other & (type_.bits - 1)
        return type_, type_.wrapped(one << by if operator == "<<" else one >> by)
    type_ = common(first, second)
    one, other = type_.wrapped(one), type_.wrapped(other)
    if operator in {"/", "%"}:
        quotient = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)
        return type_, type_.wrapped(quotient if operator == "/" else one - quotient * other)
    tests = {"<": one < other, "<=": one <= other, "==": one == other, "!=": one != other, ">": one > other}
    if operator in tests:
        return INT, int(tests[operator])
    results = {"+": one + other, "-": one - other, "*": one * other, "&": one & other, "|": one | other}
    return type_, type_.wrapped(results.get(operator, one ^ other))


def run(kernel, launch):
    """Run all threads of a launch. It changes what `out` holds."""
    SIZES.update(
        size_t=Int(launch.pointer_bits, is_signed=False),
        thread=Int(launch.pointer_bits, is_signed=False) if launch.language == "cl" else UINT,
    )
    for thread in range(launch.threads):
        _Run(kernel, launch, thread).body(kernel.body)
