"""Make random kernels, and random launches of them. Each has a number."""

import random

from support.source.interpreting import Launch
from support.source.tree import (
    CHAR,
    INPUTS,
    INT,
    INTS,
    LONG,
    SHORT,
    SIZES,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    Array,
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
    Helper,
    If,
    Input,
    Int,
    Kernel,
    Lane,
    Lanes,
    Load,
    Loop,
    Masked,
    Member,
    OfLanes,
    Point,
    Pointer,
    Record,
    SetByte,
    SizeOf,
    Store,
    Switch,
    Target,
    Thread,
    Unary,
    Var,
    Vector,
    place_type,
    size_of,
)


class Making:
    """Makes a random kernel."""

    def __init__(self, number, language):
        self.chance = random.Random(f"{language} {number}")
        self.language = language
        self.count = 0
        self.visible = [[]]
        self.pointers = [[]]
        chance = self.chance
        scalars = tuple(Var(f"s{n}", chance.choice(INTS)) for n in range(chance.randint(1, 3)))
        self.kernel = Kernel(f"k{number}", chance.choice(INTS), chance.choice((INT, UINT, LONG, UCHAR)), scalars)
        self.kernel.uses_mask = chance.random() < 0.3
        self.records = [self._record(n) for n in range(chance.randint(0, 2))]
        self.kernel.records = tuple(self.records)
        self.helper_types = []
        self.in_helper = False

    def name(self, word):
        self.count += 1
        return f"{word}{self.count}"

    def _record(self, number):
        chance = self.chance
        members = chance.choice(
            [
                (INT, UINT),
                (LONG, INT, UINT),
                (UINT, SHORT, USHORT),
                (INT, SHORT, UCHAR, CHAR),
                (Array(UCHAR, 4), INT),
                (Array(SHORT, 2), Array(INT, 2)),
            ]
        )
        members = tuple((f"m{n}", of) for n, of in enumerate(members))
        if chance.random() < 0.5:
            size = chance.choice([4, 8])
            some = {4: [INT, UINT, Array(UCHAR, 4), Array(SHORT, 2)], 8: [LONG, ULONG, Array(UINT, 2), Array(UCHAR, 8)]}
            pair = chance.sample(some[size], 2)
            own = [tuple((f"m{n}", of) for n, of in enumerate(pair))]
            if size == 8 and self.records_before(number):
                own[0] = (*own[0], ("r", self.records_before(number)[0]))
            return Record(f"R{self.kernel.name}_{number}", own[0], is_union=True)
        return Record(f"R{self.kernel.name}_{number}", members)

    def records_before(self, _number):
        return [record for record in getattr(self, "records", []) if size_of(record) == 8 and not record.is_union]

    def made(self):
        """Return the kernel."""
        chance = self.chance
        if chance.random() < 0.4:
            self.kernel.helpers = (self._helper(),)
        self.visible = [[*self.kernel.scalars]]
        body = [statement for _ in range(chance.randint(2, 5)) for statement in self._begun()]
        body += self._statements(chance.randint(3, 7), 0)
        values = [
            number for number in self._numbers() if not isinstance(number, Var) or number not in self.kernel.scalars
        ]
        chance.shuffle(values)
        for value in values[:4]:
            body.append(self._store(Load(value)))
        body.append(self._store(self._expression(2)))
        self.kernel.body = tuple(body)
        return self.kernel

    def _store(self, value):
        self.kernel.stores += 1
        return Store(self.kernel.stores - 1, value, self.chance.random() < 0.1)

    def _helper(self):
        type_ = self.chance.choice((INT, UINT, SHORT, LONG))
        self.in_helper = True
        self.visible, self.pointers = [[Var("x", type_)]], [[Var("p", Pointer(type_))]]
        body = [self._declare(), *self._statements(self.chance.randint(1, 3), 1)]
        result = self._expression(2)
        self.in_helper = False
        self.visible, self.pointers = [[]], [[]]
        return Helper(f"h_{self.kernel.name}", type_, tuple(body), result)

    def _vector(self):
        return Vector(self.chance.choice((INT, UINT, UCHAR, SHORT)), self.chance.choice((2, 4)))

    def _type(self):
        draw = self.chance.random()
        if draw < 0.5:
            return self.chance.choice(INTS)
        if draw < 0.7:
            return Array(self.chance.choice(INTS), self.chance.choice((2, 3, 4)))
        if draw < 0.85 and self.records:
            return self.chance.choice(self.records)
        return self._vector()

    def _declare(self):
        var = Var(self.name("v"), self._type())
        value = None
        if self.chance.random() < 0.5:
            value = self._value_of(var.type)
        self.visible[-1].append(var)
        return Declare(var, value)

    def _begun(self):
        """Yield a declaration, and perhaps what sets the variable on some ways only."""
        declared = self._declare()
        yield declared
        numbers = [place for place in self._inside(declared.var) if not isinstance(place, Lane)]
        if declared.value is None and numbers and self.chance.random() < 0.7:
            sets = tuple(Assign(number, "", self._expression(1)) for number in numbers)
            yield self.chance.choice(
                (
                    If(self._test(1), sets, ()),
                    If(self._test(1), (), sets),
                    Switch(self._expression(1), (sets, sets), has_default=False),
                    Loop(self.name("i"), self.chance.randint(1, 2), sets, self._test(1)),
                )
            )
            yield self._store(Load(self.chance.choice(numbers)))

    def _value_of(self, type_):
        match type_:
            case Int():
                return self._expression(2)
            case Vector():
                return self._lanes(type_, 1)
            case _:
                return None

    def _lanes(self, type_, depth):
        known = [variable for variable in self._all() if variable.type == type_]
        if known and self.chance.random() < 0.4:
            return Load(self.chance.choice(known))
        if depth and self.language == "cl" and self.chance.random() < 0.5:
            operator = self.chance.choice(["+", "-", "*", "&", "|", "^"])
            return OfLanes(operator, self._lanes(type_, depth - 1), self._lanes(type_, depth - 1))
        return Lanes(type_, tuple(self._expression(1) for _ in range(type_.count)))

    def _all(self):
        return [variable for scope in self.visible for variable in scope]

    def _numbers(self):
        """Return places that hold numbers: variables, members, elements, lanes, and what pointers point to."""
        found = []
        for variable in self._all():
            found += self._inside(variable)
        return found + [Target(pointer) for scope in self.pointers for pointer in scope]

    def _inside(self, place):
        match place_type(place):
            case Int():
                return [place]
            case Array():
                return self._inside(Element(place, self._expression(0)))
            case Record(members=members):
                return [found for name, _ in members for found in self._inside(Member(place, name))]
            case Vector(count=count):
                return [Lane(place, number) for number in range(count)]

    def _place(self, type_=None, *, is_written=True):
        places = [
            number
            for number in self._numbers()
            if (type_ is None or place_type(number) == type_) and not (is_written and number in self.counters)
        ]
        return self.chance.choice(places) if places else None

    counters = ()

    def _expression(self, depth):  # noqa: PLR0911  (one for each kind)
        chance = self.chance
        if depth == 0 or chance.random() < 0.15:
            return self._leaf()
        draw = chance.random()
        if draw < 0.12:
            return Cast(chance.choice(INTS), self._expression(depth - 1))
        if draw < 0.2:
            return Unary(chance.choice("-~!"), self._expression(depth - 1))
        if draw < 0.28:
            one, other = self._expression(depth - 1), self._expression(depth - 1)
            return Choice(self._test(depth - 1), one, other)
        if draw < 0.42:
            divisor = Const(INT, chance.choice((2, 3, 5, 7, -3, 16)))
            return Binary(chance.choice("/%"), self._expression(depth - 1), divisor)
        if draw < 0.5:
            return Binary(chance.choice(("<<", ">>")), self._expression(depth - 1), self._expression(depth - 1))
        if draw < 0.58:
            return self._test(depth - 1)
        if draw < 0.64:
            # What compilers like to simplify.
            twice = Binary("*", self._expression(depth - 1), Const(INT, 2))
            return Binary("/", twice, Const(INT, 2))
        if draw < 0.68 and not self.in_helper:
            return SizeOf(self._expression(depth - 1))
        return Binary(chance.choice("+-*&|^"), self._expression(depth - 1), self._expression(depth - 1))

    def _test(self, depth):
        chance = self.chance
        depth = max(depth, 0)
        if chance.random() < 0.2:
            return Binary(chance.choice(("&&", "||")), self._test(depth - 1), self._test(depth - 1))
        if chance.random() < 0.15:
            one = self._expression(depth)
            return Binary(">", Binary("+", one, Const(INT, 1)), one)
        return Binary(chance.choice(("<", "<=", "==", "!=", ">")), self._expression(depth), self._expression(depth))

    def _leaf(self):  # noqa: PLR0911  (one for each kind)
        chance = self.chance
        draw = chance.random()
        if draw < 0.5:
            places = [variable for variable in self._all() if isinstance(variable.type, Int)]
            others = [Target(pointer) for scope in self.pointers for pointer in scope]
            if found := places + others:
                return Load(chance.choice(found))
        if draw < 0.62:
            aggregates = [variable for variable in self._all() if not isinstance(variable.type, Int)]
            if aggregates:
                return Load(self._flat(chance.choice(aggregates)))
        if draw < 0.66 and (
            places := [variable for variable in self._all() if isinstance(variable.type, Int | Record)]
        ):
            place = chance.choice(places)
            return ByteOf(place, chance.randrange(size_of(place.type)))
        if draw < 0.76 and not self.in_helper:
            return Cast(self.kernel.given, Input(Const(INT, chance.randrange(INPUTS))))
        if draw < 0.82 and self.kernel.uses_mask and not self.in_helper:
            index = Const(INT, chance.randrange(INPUTS))
            return Cast(self.kernel.given, Masked(index, Const(INT, chance.randint(-9, 9)), chance.randrange(4)))
        if draw < 0.88 and not self.in_helper:
            return Thread()
        type_ = chance.choice(INTS)
        top = 1 << (type_.bits - 1)
        value = chance.choice((0, 1, 2, 3, 5, 100, -1, -2, top - 1, -top, top, chance.randrange(2 * top)))
        return Const(type_, type_.wrapped(value))

    def _flat(self, place):
        """Return a number inside a place, whose elements have fixed numbers."""
        match place_type(place):
            case Int():
                return place
            case Array(count=count):
                return self._flat(Element(place, Const(INT, self.chance.randrange(count))))
            case Record(members=members):
                return self._flat(Member(place, self.chance.choice(members)[0]))
            case Vector(count=count):
                return Lane(place, self.chance.randrange(count))

    def _statements(self, count, depth):
        return [self._statement(depth) for _ in range(count)]

    def _scope(self, depth, count=None):
        self.visible.append([])
        self.pointers.append([])
        found = tuple(self._statements(count or self.chance.randint(1, 3), depth))
        self.visible.pop()
        self.pointers.pop()
        return found

    def _statement(self, depth):  # noqa: PLR0911, PLR0912, C901  (one for each kind)
        chance = self.chance
        draw = chance.random()
        if draw < 0.14:
            return self._declare()
        if draw < 0.24 and (point := self._point()) is not None:
            return point
        if depth < 2:
            if draw < 0.4:
                test, then = self._test(1), self._scope(depth + 1)
                return If(test, then, self._scope(depth + 1) if chance.random() < 0.4 else ())
            if draw < 0.47:
                of = self._expression(1)
                return Switch(
                    of, tuple(self._scope(depth + 1) for _ in range(chance.randint(1, 3))), chance.random() < 0.4
                )
            if draw < 0.57:
                return self._loop(depth)
            if draw < 0.6:
                return Block(self._scope(depth + 1))
        if draw < 0.66 and (vectors := [variable for variable in self._all() if isinstance(variable.type, Vector)]):
            var = chance.choice(vectors)
            return Assign(var, "", self._lanes(var.type, 2))
        if draw < 0.7:
            records = [variable for variable in self._all() if isinstance(variable.type, Record)]
            pairs = [
                (record, other)
                for record in records
                for other in records
                if record != other and record.type == other.type
            ]
            if pairs:
                one, other = chance.choice(pairs)
                return Assign(one, "", Load(other))
        if draw < 0.74 and self.kernel.helpers and not self.in_helper:
            helper = self.kernel.helpers[0]
            target, place = self._place(helper.type), self._place(helper.type)
            # When the target is found is up to the compiler, so the call must not change where it is.
            if target is not None and _is_fixed(target) and place is not None and not isinstance(place, Lane):
                return Assign(target, "", Call(helper.name, self._expression(1), place))
        if draw < 0.78:
            bytes_ = [
                variable
                for variable in self._all()
                if isinstance(variable.type, Int | Record) and variable not in self.counters
            ]
            if bytes_:
                place = chance.choice(bytes_)
                return SetByte(place, chance.randrange(size_of(place.type)), self._expression(1))
        place = self._place()
        if place is None:
            return self._declare()
        operator = chance.choice(("", "", "", "+", "-", "*", "^", "|", "&"))
        return Assign(place, operator, self._expression(2))

    def _loop(self, depth):
        name = self.name("i")
        var = Var(name, INT)
        self.visible.append([var])
        before, self.counters = self.counters, (*self.counters, var)
        leave = self._test(1) if self.chance.random() < 0.3 else None
        body = self._scope(depth + 1)
        self.counters = before
        self.visible.pop()
        return Loop(name, self.chance.randint(1, 3), body, leave, self.chance.random() < 0.5)

    def _point(self):
        """Make a pointer, or let one point elsewhere."""
        chance = self.chance
        known = [pointer for scope in self.pointers for pointer in scope]
        places = [
            number
            for number in self._numbers()
            if not isinstance(number, Lane | Target) and number not in self.counters
        ]
        if known and chance.random() < 0.3 and not self.in_helper:
            # A pointer outlives inner scopes, so it may point to what outlives it.
            var = chance.choice(known)
            depth = next(n for n, scope in enumerate(self.pointers) if var in scope)
            outer = [variable for scope in self.visible[: depth + 1] for variable in scope]
            places = [place for place in places if _root(place) in outer and place_type(place) == var.type.of]
            if places:
                return Point(var, chance.choice(places), is_new=False)
            return None
        if not places:
            return None
        place = chance.choice(places)
        others = [place_ for place_ in places if place_type(place_) == place_type(place)]
        var = Var(self.name("p"), Pointer(place_type(place)))
        test = self._test(1) if chance.random() < 0.4 else None
        self.pointers[-1].append(var)
        return Point(var, place, test, chance.choice(others) if test is not None else None)


def _is_fixed(place):
    """Return whether a place is one place, whatever variables hold."""
    while not isinstance(place, Var):
        if isinstance(place, Target) or (isinstance(place, Element) and not isinstance(place.index, Const)):
            return False
        place = place.of
    return True


def _root(place):
    while not isinstance(place, Var):
        place = place.of
    return place


def made(number, language):
    """Return the random kernel with a number."""
    SIZES.update(size_t=ULONG, thread=ULONG if language == "cl" else UINT)
    return Making(number, language).made()


def launch_of(kernel, number, language, pointer_bits=64):
    """Return a random launch of a kernel."""
    chance = random.Random(f"launch {kernel.name} {number}")
    threads = chance.randint(1, 4)
    given = bytes(chance.randrange(256) for _ in range(INPUTS * size_of(kernel.given)))
    mask = None
    if kernel.uses_mask and chance.random() < 0.5:
        mask = bytes(chance.randrange(256) for _ in range(INPUTS * size_of(kernel.given)))
    scalars = {}
    for var in kernel.scalars:
        top = 1 << (var.type.bits - 1)
        scalars[var.name] = var.type.wrapped(chance.choice((0, 1, -1, 3, top - 1, top, chance.randrange(2 * top))))
    out = bytearray(threads * kernel.stores * size_of(kernel.out))
    fillings = chance.choice(((0,), (255,), (1,), (chance.randrange(256), chance.randrange(256), 0)))
    return Launch(threads, out, given, mask, scalars, fillings, pointer_bits, language)
