"""Write kernels as source text in OpenCL C or CUDA."""

from support.source.tree import (
    INPUTS,
    LANES,
    NAMES,
    UCHAR,
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
    promoted,
    size_of,
    type_of,
)


class Writer:
    """Writes a kernel in a language: `cl` or `cu`."""

    def __init__(self, kernel, language):
        self.kernel, self.language, self.names = kernel, language, NAMES[language]

    def type(self, type_):
        match type_:
            case Int():
                return self.names[type_]
            case Record(name=name):
                return name
            case Vector(of=of, count=count):
                return f"{NAMES['cl'][of]}{count}"

    def declared(self, var):
        """Return the declaration of a variable."""
        type_, dims = var.type, ""
        while isinstance(type_, Array):
            dims += f"[{type_.count}]"
            type_ = type_.of
        return f"{self.type(type_)} {var.name}{dims}"

    def place(self, place):
        match place:
            case Var(name=name):
                return name
            case Member(of=of, name=name):
                return f"{self.place(of)}.{name}"
            case Element(of=of, index=index):
                return f"{self.place(of)}[(unsigned)({self.expression(index)}) % {place_type(of).count}u]"
            case Lane(of=of, number=number):
                return f"{self.place(of)}.{LANES[number]}"
            case Target(of=of):
                return f"(*{of.name})"

    def expression(self, one):  # noqa: C901, PLR0911, PLR0912  (one for each kind)
        text = self.expression
        match one:
            case Thread():
                return "get_global_id(0)" if self.language == "cl" else "(blockIdx.x * blockDim.x + threadIdx.x)"
            case SizeOf(of=of):
                return f"((size_t){text(of)})"
            case Const(type=type_, value=value):
                if value == -(1 << (type_.bits - 1)) and type_.bits >= 32:
                    return f"(({self.names[type_]})({value + 1}{'L' * (type_.bits == 64)} - 1))"
                suffix = "u" * (not type_.is_signed) + "L" * (type_.bits == 64)
                number = f"({value}{suffix})" if type_.bits >= 32 else f"({value})"
                return number if type_.bits in {32, 64} else f"(({self.names[type_]}){number})"
            case Input(index=index):
                return f"in[(unsigned)({text(index)}) % {INPUTS}u]"
            case Masked(index=index, otherwise=otherwise, spelling=spelling):
                test = ("mask", "mask != 0", "!(!mask)", "mask == 0")[spelling]
                found = f"mask[(unsigned)({text(index)}) % {INPUTS}u]"
                if spelling == 3:
                    return f"({test} ? {text(otherwise)} : {found})"
                return f"({test} ? {found} : {text(otherwise)})"
            case Load(place=place):
                return self.place(place)
            case ByteOf(place=place, number=number):
                return f"((({self.names[UCHAR]} *)&{self.place(place)})[{number}])"
            case Cast(type=type_, of=of):
                return f"(({self.names[type_]})({text(of)}))"
            case Unary(operator=operator, of=of):
                return f"({operator}({text(of)}))"
            case Binary(operator=operator, one=first, other=other):
                if operator in {"<<", ">>"}:
                    return f"({text(first)} {operator} (({text(other)}) & {promoted(type_of(first)).bits - 1}))"
                return f"({text(first)} {operator} {text(other)})"
            case Choice(test=test, one=first, other=other):
                return f"({text(test)} ? {text(first)} : {text(other)})"
            case Call(helper=helper, of=of, place=place):
                return f"{helper}({text(of)}, &{self.place(place)})"
            case Lanes(type=type_, parts=parts):
                inside = ", ".join(f"({self.names[type_.of]})({text(part)})" for part in parts)
                if self.language == "cl":
                    return f"(({self.type(type_)})({inside}))"
                return f"make_{self.type(type_)}({inside})"
            case OfLanes(operator=operator, one=first, other=other):
                return f"({text(first)} {operator} {text(other)})"

    def statement(self, one, indent):  # noqa: C901, PLR0912  (one for each kind)
        tab = "  " * indent
        match one:
            case Declare(var=var, value=value):
                end = "" if value is None else f" = {self.expression(value)}"
                yield f"{tab}{self.declared(var)}{end};"
            case Point(var=var, place=place, test=test, other=other, is_new=is_new):
                address = f"&{self.place(place)}"
                if test is not None:
                    address = f"({self.expression(test)} ? {address} : &{self.place(other)})"
                declared = f"{self.type(var.type.of)} *" if is_new else ""
                yield f"{tab}{declared}{var.name} = {address};"
            case Assign(place=place, operator=operator, value=value):
                yield f"{tab}{self.place(place)} {operator}= {self.expression(value)};"
            case SetByte(place=place, number=number, value=value):
                bytes_ = f"({self.names[UCHAR]} *)&{self.place(place)}"
                yield f"{tab}({bytes_})[{number}] = {self.expression(value)};"
            case If(test=test, then=then, otherwise=otherwise):
                yield f"{tab}if ({self.expression(test)}) {{"
                yield from self.body(then, indent + 1)
                if otherwise:
                    yield f"{tab}}} else {{"
                    yield from self.body(otherwise, indent + 1)
                yield f"{tab}}}"
            case Switch(of=of, cases=cases, has_default=has_default):
                yield f"{tab}switch ((unsigned)({self.expression(of)}) % {len(cases) + 1}u) {{"
                for number, case in enumerate(cases):
                    is_last = has_default and number == len(cases) - 1
                    yield f"{tab}{'default' if is_last else f'case {number}'}: {{"
                    yield from self.body(case, indent + 1)
                    yield f"{tab}  break; }}"
                yield f"{tab}}}"
            case Loop(name=name, rounds=rounds, body=body, leave=leave, is_continue=is_continue):
                yield f"{tab}for (int {name} = 0; {name} < {rounds}; {name}++) {{"
                if leave is not None:
                    yield f"{tab}  if ({self.expression(leave)}) {'continue' if is_continue else 'break'};"
                yield from self.body(body, indent + 1)
                yield f"{tab}}}"
            case Store(number=number, value=value, is_byte=is_byte):
                stores, thread = self.kernel.stores, self.expression(Thread())
                each = size_of(self.kernel.out)
                space = "__global " if self.language == "cl" else ""
                if is_byte:
                    bytes_ = f"(({space}{self.names[UCHAR]} *)out)"
                    yield f"{tab}{bytes_}[{thread} * {stores * each} + {number * each}] = {self.expression(value)};"
                else:
                    yield f"{tab}out[{thread} * {stores} + {number}] = {self.expression(value)};"
            case Block(body=body):
                yield f"{tab}{{"
                yield from self.body(body, indent + 1)
                yield f"{tab}}}"

    def body(self, some, indent):
        for statement in some:
            yield from self.statement(statement, indent)

    def text(self):
        kernel = self.kernel
        for record in kernel.records:
            word = "union" if record.is_union else "struct"
            members = " ".join(f"{self.declared(Var(name, of))};" for name, of in record.members)
            yield f"typedef {word} {{ {members} }} {record.name};"
        for helper in kernel.helpers:
            name = self.names[helper.type]
            prefix = "static " if self.language == "cl" else "static __device__ "
            yield f"{prefix}{name} {helper.name}({name} x, {name} *p) {{"
            yield from self.body(helper.body, 1)
            yield f"  return {self.expression(helper.result)};"
            yield "}"
        space = "__global " if self.language == "cl" else ""
        start = "__kernel void" if self.language == "cl" else "__global__ void"
        pointers = [f"{space}{self.names[kernel.out]} *out", f"{space}const {self.names[kernel.given]} *in"]
        pointers += [f"{space}const {self.names[kernel.given]} *mask"] * kernel.uses_mask
        scalars = [self.declared(var) for var in kernel.scalars]
        yield f"{start} {kernel.name}({', '.join(pointers + scalars)}) {{"
        yield from self.body(kernel.body, 1)
        yield "}"


def written(kernels, language):
    """Return the text of a file with some kernels."""
    return "\n".join(line for kernel in kernels for line in Writer(kernel, language).text()) + "\n"
