"""The two-thread program of a kernel with its candidates, as text for Boogie, whose own Houdini removes candidates.

Boogie cuts the loops, makes their state arbitrary, and asks its solver. All that this file says is what the two threads
do, under which conditions, and what a candidate means (Definitions of kernels). Nothing of `pair/` is used, so a
mistake there shows. What arrays hold is unknown: each read gives any value.
"""

import re
import subprocess

from synth_kernels.flow import Flow
from synth_kernels.operators import BINARY
from synth_kernels.pair.annotations import OF_BOTH, about_the_pair
from synth_kernels.program import (
    DIMENSIONS,
    IDS,
    Access,
    Arbitrary,
    Barrier,
    Call,
    Compute,
    Constant,
    KernelClaim,
    operands_of,
)

THREADS = (1, 2)


class NotPrintedError(Exception):
    """A kernel has something that is not printed: opaque functions, peeks, arbitrary values in a claim, or calls."""


class Printer:
    """Prints a kernel with candidates for a launch whose sizes are known."""

    def __init__(self, kernel, launch):
        self.kernel, self.flow, self.sizes = kernel, Flow(kernel), launch.sizes()
        self.widths = kernel.all_widths()
        self.of_pair = about_the_pair(kernel)
        self.spaces = {array.name: array.space for array in kernel.arrays}
        self.units = {array.name: array.width for array in kernel.arrays}
        steps = [instruction for block in kernel.blocks for instruction in block.instructions]
        if any(isinstance(step, Call) for step in steps):
            raise NotPrintedError("a call of a function that is not inlined: only the main procedure is printed")
        accesses = [step for step in steps if isinstance(step, Access)]
        written = {
            access.array
            for access in accesses
            if access.kind != "read" and self.spaces[access.array] in {"local", "global"}
        }
        self.keys = sorted({(access.array, access.kind) for access in accesses if access.array in written})
        self.functions, self.variables, self.lines = {}, {}, []
        self.switches, self.cuts, self.jumps = {}, [], {}

    def text(self):
        """Return the program."""
        for name in self.flow.order:
            while self.cuts and name not in self.cuts[-1][0].blocks:
                self.close()
            self.visit(self.kernel.block(name))
        while self.cuts:
            self.close()
        switches = [f"const {{:existential true}} {name}: bool;" for name in self.switches.values()]
        launch = list(self.launch())
        declared = [f"  var {name}: {kind};" for name, kind in self.variables.values()]
        body = ["procedure main()", "{", *declared, *launch, *self.lines, "}"]
        return "\n".join([*self.functions.values(), *switches, *body]) + "\n"

    def launch(self):
        """Yield what holds at the beginning: ids are in range, and threads of one group differ."""
        same = []
        for word, size in (("lid", "lsize"), ("gid", "groups")):
            for number in range(DIMENSIONS):
                limit = Constant(self.sizes[f"{size}.{number}"], 32)
                for thread in THREADS:
                    values = [self.word(f"{word}.{number}", thread), self.constant(limit)]
                    yield f"  assume {self.applied('ult', values, 32, 1)};"
                same += [f"{self.word(f'lid.{number}', 1)} == {self.word(f'lid.{number}', 2)}"] if word == "lid" else []
        yield f"  assume {self.same_group()} ==> !({' && '.join(same)});"
        yield from (f"  {self.flag(*key)} := false;" for key in self.keys)

    def say(self, line):
        self.lines.append(f"  {line}")

    def variable(self, name, width):
        """Return the variable of this name, which is declared."""
        if name not in self.variables:
            clean = re.sub(r"[^A-Za-z0-9_]", "_", name)
            self.variables[name] = f"{clean}_{len(self.variables)}", "bool" if width == 1 else f"bv{width}"
        return self.variables[name][0]

    def flag(self, array, kind):
        return self.variable(f"H.{kind}.{array}", 1)

    def stored(self, array):
        return self.variable(f"stored.{array}", self.units[array])

    def same_group(self):
        return (
            "("
            + " && ".join(f"{self.word(f'gid.{n}', 1)} == {self.word(f'gid.{n}', 2)}" for n in range(DIMENSIONS))
            + ")"
        )

    def word(self, name, thread):
        """Return an id, a size or a scalar."""
        if name in IDS and name in self.sizes:
            return self.constant(Constant(self.sizes[name], 32))
        return self.variable(f"{name} of {thread}" if name in IDS else f"scalar {name}", self.widths[name])

    @staticmethod
    def constant(one):
        return ("true" if one.value else "false") if one.width == 1 else f"{one.value}bv{one.width}"

    def value(self, operand, thread, env=None):
        """Return the value of an operand: a constant, a word, or what a block has defined."""
        if isinstance(operand, Constant):
            return self.constant(operand)
        if env is not None and (operand, thread) in env:
            return env[operand, thread]
        if operand in IDS or operand in dict(self.kernel.scalars):
            return self.word(operand, thread)
        return self.variable(f"v {operand} of {thread}", self.widths[operand])

    def width(self, operand):
        return operand.width if isinstance(operand, Constant) else self.widths[operand]

    def applied(self, operator, values, here, width):
        """Return the result of an operator on values of `here` bits."""
        match operator:
            case "select":
                return f"(if {values[0]} then {values[1]} else {values[2]})"
            case "and" | "or" | "xor" | "eq" if here == 1 or operator == "eq":
                word = {"and": "&&", "or": "||", "xor": "!=", "eq": "=="}[operator]
                return f"({values[0]} {word} {values[1]})"
            case "not" if here == 1:
                return f"(!{values[0]})"
            case "trunc":
                return f"({values[0]}[1:0] == 1bv1)" if width == 1 else f"({values[0]}[{width}:0])"
            case "zext" | "sext" if here == 1:
                one = 1 if operator == "zext" else (1 << width) - 1
                return f"(if {values[0]} then {one}bv{width} else 0bv{width})"
            case "zext" | "sext":
                smt = f"{'zero' if operator == 'zext' else 'sign'}_extend {width - here}"
            case "not":
                smt = "bvnot"
            case _:
                smt = BINARY[operator].smt
        name = f"{operator}_{here}_{width}"
        result = "bool" if width == 1 else f"bv{width}"
        given = ", ".join(f"{letter}: bv{here}" for letter, _ in zip("ab", values, strict=False))
        self.functions[name] = f'function {{:bvbuiltin "{smt}"}} {name}({given}) returns ({result});'
        return f"{name}({', '.join(values)})"

    def visit(self, block):
        reached = [self.variable(f"P {block.name} of {thread}", 1) for thread in THREADS]
        forward = [jump for jump in self.jumps.get(block.name, ()) if not self.flow.is_back(jump[0], block.name)]
        for thread in THREADS:
            ways = " || ".join(jump[1][thread - 1] for jump in forward)
            self.say(f"{reached[thread - 1]} := {'true' if block.name == self.flow.entry else ways or 'false'};")
        self.give(block, forward)
        live = self.live(reached)
        if block.name in self.flow.loops:
            self.open(block, live)
            live = self.live(reached)
        for instruction in block.instructions:
            self.step(instruction, live)
        for number, target in enumerate(block.end.targets):
            taken = []
            for thread in THREADS:
                test = self.value(block.end.test, thread) if block.end.test else "true"
                taken.append(self.variable(f"J {block.name} {number} of {thread}", 1))
                self.say(f"{taken[-1]} := {reached[thread - 1]} && {f'!{test}' if number else test};")
            self.jumps.setdefault(target.block, []).append((block.name, taken, target.arguments))

    def live(self, reached):
        return (
            [f"({one} && {inside})" for one, inside in zip(reached, self.cuts[-1][2], strict=True)]
            if self.cuts
            else reached
        )

    def give(self, block, ways, *, keep=False):
        """Give the parameters of a block the values of the jumps to it; with `keep`, others keep theirs."""
        news = []
        for number, (name, width) in enumerate(block.parameters):
            for thread in THREADS:
                found = [(way[1][thread - 1], self.value(way[2][number], thread)) for way in ways]
                value = self.value(name, thread) if keep else found[0][1]
                for condition, other in found:
                    value = f"(if {condition} then {other} else {value})"
                news.append((self.value(name, thread), self.variable(f"new {name} of {thread}", width), value))
        for _, new, value in news:
            self.say(f"{new} := {value};")
        for old, new, _ in news:
            self.say(f"{old} := {new};")

    def open(self, block, entered):
        """Begin a loop: a label with the candidates as assertions, of which Boogie makes invariants."""
        loop = self.flow.loops[block.name]
        names = [[self.variable(f"{what} {block.name} of {t}", 1) for t in THREADS] for what in ("E", "in")]
        for thread in (0, 1):
            self.say(f"{names[0][thread]} := {entered[thread]};")
            self.say(f"{names[1][thread]} := {names[0][thread]};")
        before = {key: self.variable(f"before {block.name} {key}", 1) for key in self.keys}
        for key in self.keys:
            self.say(f"{before[key]} := {self.flag(*key)};")
        label = self.label(block.name)
        self.say(f"goto {label};")
        self.lines.append(f"{label}:")
        (e1, e2), (i1, i2) = names
        for claim, meaning in self.claims(block, *names):
            self.say(f"assert {self.switches[claim.line]} ==> ({i1} || {i2}) ==> {meaning};")
        self.say(f"assume ({i1} ==> {e1}) && ({i2} ==> {e2}) && (({e1} || {e2}) ==> ({i1} || {i2}));")
        body = [instruction for name in loop.blocks for instruction in self.kernel.block(name).instructions]
        accessed = {(one.array, one.kind) for one in body if isinstance(one, Access)}
        for key in self.keys:
            flag, same = self.flag(*key), f"{self.flag(*key)} == {before[key]}"
            self.say(f"assume {f'{e1} || {same}' if key in accessed else same};")
            if key in accessed and self.spaces[key[0]] == "local":
                self.say(f"assume {flag} ==> {self.same_group()};")
        self.cuts.append((loop, *names))

    def label(self, name):
        return f"loop_{self.flow.order.index(name)}"

    def close(self):
        """End a loop: go back with the threads that make a further round, or go on if none does."""
        loop, _, inside = self.cuts.pop()
        block, label = self.kernel.block(loop.header), self.label(loop.header)
        ways = [jump for jump in self.jumps[loop.header] if self.flow.is_back(jump[0], loop.header)]
        back = [self.variable(f"B {loop.header} of {thread}", 1) for thread in THREADS]
        for thread in THREADS:
            self.say(f"{back[thread - 1]} := {' || '.join(way[1][thread - 1] for way in ways)};")
        self.say(" ".join(f"assume {again} ==> {there};" for again, there in zip(back, inside, strict=True)))
        self.say(f"goto {label}_back, {label}_out;")
        self.lines.append(f"{label}_back:")
        self.say(f"assume {back[0]} || {back[1]};")
        self.give(block, ways, keep=True)
        self.say(" ".join(f"{there} := {again};" for again, there in zip(back, inside, strict=True)))
        self.say(f"goto {label};")
        self.lines.append(f"{label}_out:")
        self.say(f"assume !({back[0]} || {back[1]});")

    def claims(self, block, entered, inside):
        """Yield the candidates of a header with their meanings, as formulas over what the header begins with."""
        env = {}
        for thread in THREADS:
            env |= {("enabled", thread): inside[thread - 1], ("same_group", thread): self.same_group()}
            env |= {(f"{kind}.{name}", thread): "false" for name in self.spaces for kind in ("read", "write", "atomic")}
            env |= {(f"{kind}.{name}", thread): self.flag(name, kind) for name, kind in self.keys}
            env["watched", thread] = self.variable("watched", 32)
            env |= {(f"stored.{name}", thread): self.stored(name) for name in self.spaces}
        for instruction in block.instructions:
            if isinstance(instruction, Compute):
                self.relate(instruction, env)
            elif isinstance(instruction, KernelClaim) and instruction.kind == "candidate":
                self.switches[instruction.line] = f"keep_{instruction.line}"
                yield instruction, self.said(instruction, env, entered, inside)
            elif isinstance(instruction, KernelClaim):
                raise NotPrintedError
            else:
                return

    def relate(self, one, env):
        """Put the result of an instruction of a header into `env`, as a formula."""
        here = self.width(one.operands[-1])
        operands = {t: [self.value(operand, t, env) for operand in one.operands] for t in THREADS}
        if one.operator == "uniform":
            env |= {(one.name, t): f"({operands[1][0]} == {operands[2][0]})" for t in THREADS}
        elif one.operator == "other":
            env |= {(one.name, t): operands[3 - t][0] for t in THREADS}
        else:
            binary, second = BINARY.get(one.operator), one.operands[-1]
            if binary and (binary.divides or binary.shifts) and not (isinstance(second, Constant) and second.value):
                raise NotPrintedError
            env |= {(one.name, t): self.applied(one.operator, operands[t], here, one.width) for t in THREADS}

    def said(self, claim, env, entered, inside):
        """Return what a claim says of the threads of which it has to hold."""
        words = self.of_pair.get(claim.value, frozenset()) if isinstance(claim.value, str) else frozenset()
        one, two = (self.value(claim.value, thread, env) for thread in THREADS)
        if claim.once:
            return one
        if not words - {"enabled"}:
            return f"(({entered[0]} ==> {one}) && ({entered[1]} ==> {two}))"
        if not words & OF_BOTH:
            return f"({entered[0]} ==> {one})"
        both = f"({inside[0]} || {inside[1]})" if "enabled" in words else f"({entered[0]} && {entered[1]})"
        return f"({both} ==> {one})"

    def step(self, one, live):
        """Print what both threads do, as far as they are live."""
        if (isinstance(one, KernelClaim) and one.kind == "candidate") or self.is_of_claims(one):
            return
        if isinstance(one, Compute):
            for thread in THREADS:
                self.compute(one, thread)
        elif isinstance(one, Arbitrary):
            self.arbitrary(one, live)
        elif isinstance(one, Access):
            self.access(one, live[0])
        elif isinstance(one, Barrier):
            self.barrier(one, live)
        elif not isinstance(one, KernelClaim) or set(operands_of(one)) & self.of_pair.keys():
            raise NotPrintedError
        else:
            for thread in THREADS:
                self.say(f"assume {live[thread - 1]} ==> {self.value(one.value, thread)};")

    def is_of_claims(self, one):
        """Whether an instruction computes something for claims only, which `relate` does."""
        return isinstance(one, Compute) and one.name in self.of_pair

    def compute(self, one, thread):
        here, to = self.width(one.operands[-1]), self.value(one.name, thread)
        values = [self.value(operand, thread) for operand in one.operands]
        result, binary = self.applied(one.operator, values, here, one.width), BINARY.get(one.operator)
        if binary and (binary.divides or binary.shifts):
            limit = self.constant(Constant(0 if binary.divides else here, here))
            fine = f"{values[1]} != {limit}" if binary.divides else self.applied("ult", [values[1], limit], here, 1)
            self.say(f"havoc {to};")
            result = f"(if {fine} then {result} else {to})"
        self.say(f"{to} := {result};")

    def arbitrary(self, one, live):
        first, second = (self.value(one.name, thread) for thread in THREADS)
        self.say(f"havoc {first}, {second};")
        if one.is_uniform:
            self.say(f"assume {live[0]} && {live[1]} && {self.same_group()} ==> {first} == {second};")

    def access(self, one, live):
        """Log an access of thread 1 if it touches the watched location. What is read is arbitrary."""
        if one.count:
            raise NotPrintedError
        if (one.array, one.kind) in self.keys:
            offset, watched, units = (
                self.value(one.offset, 1),
                self.variable("watched", 32),
                one.width // self.units[one.array],
            )
            distance = self.applied("sub", [watched, offset], 32, 32)
            here = self.applied("ult", [distance, f"{units}bv32"], 32, 1)
            same = self.same_group() if self.spaces[one.array] == "local" else "true"
            flag = self.flag(one.array, one.kind)
            if one.kind == "write" and units == 1:
                here = f"{here} && {self.value(one.value, 1)} == {self.stored(one.array)}"
            self.say(f"{flag} := {flag} || ({live} && {same} && {here});")
        if one.name:
            self.say(f"havoc {self.value(one.name, 1)}, {self.value(one.name, 2)};")

    def barrier(self, one, live):
        together = self.same_group() if one.scope == "group" else "true"
        self.say(f"assume {together} ==> ({live[0]} == {live[1]});")
        for array, kind in self.keys:
            if self.spaces[array] in one.fences:
                flag = self.flag(array, kind)
                self.say(f"{flag} := {flag} && !({live[0]} && {together});")


def kept(program, folder):
    """Return the lines of the candidates that Boogie's Houdini keeps, and of those it removes; None if it gives up."""
    path = folder / "program.bpl"
    path.write_text(program, "utf-8")
    said = subprocess.run(
        [
            "boogie",
            "/contractInfer",
            "/printAssignment",
            "/timeLimit:200",
            "/typeEncoding:m",
            "/proverOpt:OPTIMIZE_FOR_BV=true",
            str(path),
        ],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        timeout=300,
    )
    if "1 time out" in said.stdout:
        return None
    found = re.findall(r"^keep_(\d+) = (True|False)$", said.stdout, re.MULTILINE)
    assert "finished with 1 verified, 0 errors" in said.stdout, said.stdout + said.stderr
    return {int(line) for line, word in found if word == "True"}, {int(line) for line, word in found if word != "True"}
