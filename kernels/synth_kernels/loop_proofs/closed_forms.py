"""Rewrite what a loop changes by the number of the round, and say what is known of it in each round.

A loop gets a new parameter: the number of the round, which begins with 0. A value to which each round adds the same is
what it was at first plus a multiple of this number. That is exact modulo 2^w, whether or not the value wraps around. A
value that each round doubles or halves is shifted by a multiple of this number. So the rewritten kernel does the same.

Other facts are assumed at the header. They hold in each round by construction, so nobody has to prove them:

- *range*: a value that each round divides stays between 0 and its first value. For other values, let the largest number
  that passes the loop's test not wrap around in the next round. Then a value that grows is never below its first value.
  It is beyond the end by less than it grows. Likewise for one that falls.
- *entered*: a value is its first one, or the first one has passed the test.
- *one step back*: a value is its first one, or what the loop makes of a value that passed the test.

The number of the round has 64 bits. We take for granted that no loop makes 2^64 rounds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from synth_kernels.candidates.formula_code import Writer
from synth_kernels.candidates.loops import LoopFacts, Loops
from synth_kernels.candidates.values import Values
from synth_kernels.flow import Flow
from synth_kernels.program import Arbitrary, Block, Compute, Constant, End, JumpTarget, KernelClaim

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from synth_kernels.candidates.loops import Counter
    from synth_kernels.launch import Launch
    from synth_kernels.program import Instruction, Kernel, Operand
    from synth_kernels.terms import Term

#: How a value changes: each round adds the same, or multiplies or divides by the same.
Form: TypeAlias = Literal["linear", "geometric"]
_ROUND_WIDTH = 64


@dataclass(frozen=True, slots=True)
class Rewritten:
    """A kernel that does the same. By the headers of loops: the number of the round, and which forms were used."""

    kernel: Kernel
    rounds: dict[str, str]
    forms: dict[str, frozenset[Form]]


class _Passed(NamedTuple):
    """A comparison that a value passes before each round but the first: with a bound, which may pass itself."""

    operator: Literal["slt", "ult"]
    bound: Term
    is_below: bool
    with_bound: bool


def rewritten(kernel: Kernel, launch: Launch, forms: Collection[Form]) -> Rewritten:
    """Return a kernel of which the loops have closed forms of some kinds, and know the ranges of what they change."""
    flow = Flow(kernel)
    loops = Loops(kernel, flow, Values(kernel, launch))
    line = max(
        (instruction.line for block in kernel.blocks for instruction in (*block.instructions, block.end)), default=0
    )
    blocks = {block.name: block for block in kernel.blocks}
    rounds: dict[str, str] = {}
    used: dict[str, frozenset[Form]] = {}
    for header, loop in flow.loops.items():
        one = _Rewriting(LoopFacts(loops, loop), forms, line)
        line = one.writer.line
        used[header] = frozenset(one.used)
        if one.closed:
            rounds[header] = one.round
        one.replace_in(blocks)
    return Rewritten(replace(kernel, blocks=tuple(blocks.values())), rounds, used)


class _Rewriting:
    """What becomes of one loop. `writer` has the instructions that its header begins with."""

    def __init__(self, facts: LoopFacts, forms: Collection[Form], line: int) -> None:
        self._facts, self._terms = facts, facts.terms
        self.writer = Writer(facts, line, "known")
        self.round = f"round of {facts.loop.header}"
        self.used: set[Form] = set()
        #: The parameters that have a closed form, so that no jump gives them.
        self.closed: set[str] = set()
        self._before: list[Instruction] = []
        backs = [one.name for one in facts.body if facts.loop.header in {target.block for target in one.end.targets}]
        self._always = [one for one in facts.body if all(facts.flow.dominates(one.name, back) for back in backs)]
        claims: list[Term] = []
        for counter in facts.counters:
            if (found := self._form(counter, forms)) is not None:
                form, value = found
                self.used.add(form)
                self.closed.add(counter.value.name)
                zero = Constant(0, value.width)
                self._say(Compute(counter.value.name, "add", (self.writer.operand(value), zero), value.width))
            claims += self._facts_of(counter, forms)
        for claim in claims:
            if claim.value is None:
                self._say(KernelClaim("assume", self.writer.operand(claim)))

    def _say(self, one: Compute | KernelClaim | Arbitrary) -> None:
        self.writer.line += 1
        self.writer.body.append(replace(one, line=self.writer.line))

    # --- closed forms ---

    def _first(self, counter: Counter) -> Term:
        """Return the value at entry: what it is there, or the parameter of the block before the loop."""
        if counter.initial is not None and self._facts.is_fixed(counter.initial):
            return counter.initial
        return self._facts.values.of_word(_before(counter.value.name), counter.value.width)

    def _form(self, counter: Counter, forms: Collection[Form]) -> tuple[Form, Term] | None:
        if "linear" in forms and (delta := self._delta(counter)) is not None:
            width = counter.value.width
            number = self._terms.apply("trunc", (self._number(),), width) if width < _ROUND_WIDTH else self._number()
            return "linear", self._terms.apply("add", (self._first(counter), self._times(number, delta)))
        if "geometric" in forms and (found := self._shifted(counter)) is not None:
            return "geometric", found
        return None

    def _number(self) -> Term:
        return self._facts.values.of_word(self.round, _ROUND_WIDTH)

    def _times(self, one: Term, delta: Term) -> Term:
        return one if delta.value == 1 else self._terms.apply("mul", (one, delta))

    def _delta(self, counter: Counter) -> Term | None:
        """Return what each round adds, if that is always the same."""
        step = self._facts.stride(counter.value)
        if step is None or not step[1] or counter.value.width > _ROUND_WIDTH:
            return None
        delta = self._facts.values.term(step[1], counter.value.width)
        return delta if self._facts.is_fixed(delta) else None

    def _shifted(self, counter: Counter) -> Term | None:
        """Return a value that each round doubles or halves, or multiplies or divides by a larger power of two."""
        found = self._scaling(counter)
        width = counter.value.width
        if found is None or found[1] & (found[1] - 1) or width > _ROUND_WIDTH:
            return None
        operator, bits, first, terms = found[0], found[1].bit_length() - 1, self._first(counter), self._terms
        limit = -(-width // bits)  # after so many rounds, all bits are gone
        is_early = terms.apply("ult", (self._number(), terms.constant(limit, _ROUND_WIDTH)))
        short = self._number() if width == _ROUND_WIDTH else terms.apply("trunc", (self._number(),), width)
        by = terms.choose(is_early, self._times(short, terms.constant(bits, width)), terms.constant(0, width))
        zero = terms.constant(0, width)
        is_negative = terms.apply("slt", (first, zero))
        if operator == "sdiv":  # towards 0, so the sign does not matter
            size = terms.choose(is_negative, terms.apply("sub", (zero, first)), first)
            shifted = terms.apply("lshr", (size, by))
            found_here = terms.choose(is_negative, terms.apply("sub", (zero, shifted)), shifted)
        else:
            found_here = terms.apply(operator, (first, by))
        late = zero
        if operator == "ashr":
            late = terms.choose(is_negative, terms.constant((1 << width) - 1, width), zero)
        return terms.choose(is_early, found_here, late)

    def _scaling(self, counter: Counter) -> tuple[Literal["shl", "lshr", "ashr", "sdiv"], int] | None:
        """Return how each round multiplies or divides a value, and by which number."""
        if len(counter.steps) != 1:
            return None
        step, value = counter.steps[0], counter.value
        if step.operator in {"lshr", "ashr", "udiv", "sdiv"} and step.operands[0] is value:
            by = step.operands[1].value
            shifts = step.operator in {"lshr", "ashr"}
            if (
                by is None
                or (shifts and not 0 < by < value.width)
                or (not shifts and not 1 < by < 1 << value.width - 1)
            ):
                return None
            if step.operator == "udiv":
                return "lshr", by
            return step.operator, 1 << by if shifts else by  # type: ignore[return-value]
        sum_ = self._facts.values.sum(step)
        factor = sum_.get((value,), 0)
        return ("shl", factor) if len(sum_) == 1 and 1 < factor < 1 << value.width - 1 else None

    # --- facts ---

    def _facts_of(self, counter: Counter, forms: Collection[Form]) -> Iterator[Term]:
        delta = self._delta(counter)
        for passed in self._passed(counter):
            first = self._first(counter)
            yield self._terms.any(self._terms.equal(counter.value, first), self._passes(first, passed))
        if delta is not None and delta.value is not None:
            for passed in self._passed(counter):
                yield from self._range(counter, delta.value, passed, closed=counter.value.name in self.closed)
        elif (found := self._scaling(counter)) is not None:
            yield from self._falling(counter, found[0])
            if "geometric" in forms and counter.value.name not in self.closed:
                yield from self._one_step_back(counter)

    def _falling(self, counter: Counter, operator: str) -> Iterator[Term]:
        """Yield that a value that each round divides stays between 0 and its first value."""
        terms, value, first = self._terms, counter.value, self._first(counter)
        if operator == "lshr":
            yield terms.apply("ule", (value, first))
        elif operator != "shl":
            zero = terms.constant(0, value.width)
            stays = terms.all(terms.apply("sle", (zero, value)), terms.apply("sle", (value, first)))
            yield terms.implies(terms.apply("sle", (zero, first)), stays)

    def _passed(self, counter: Counter) -> Iterator[_Passed]:
        """Yield the comparisons of a value with something fixed that it passes before each round but the first."""
        for block in self._always:
            ways = [target.block in self._facts.loop.blocks for target in block.end.targets]
            if len(ways) != 2 or ways[0] == ways[1]:
                continue
            test = self._facts.values.of(block.end.test)
            stays = ways[0]
            if test.operator == "not":
                test, stays = test.operands[0], not stays
            if test.operator not in {"slt", "sle", "ult", "ule"}:
                continue
            place = 0 if test.operands[0] is counter.value else 1
            bound = test.operands[1 - place]
            if test.operands[place] is counter.value and self._facts.is_fixed(bound):
                strict = "ult" if test.operator[0] == "u" else "slt"
                yield _Passed(strict, bound, (place == 0) == stays, test.operator.endswith("le") == stays)  # type: ignore[arg-type]

    def _passes(self, value: Term, passed: _Passed) -> Term:
        """Return that another value passes the test, too."""
        operator = passed.operator.replace("lt", "le") if passed.with_bound else passed.operator
        return self._terms.apply(operator, (value, passed.bound) if passed.is_below else (passed.bound, value))

    def _range(self, counter: Counter, delta: int, passed: _Passed, *, closed: bool) -> Iterator[Term]:
        """Yield that a value stays between its first value and the end of its loop, if it does not wrap around."""
        terms, width, value, first = self._terms, counter.value.width, counter.value, self._first(counter)
        weak: Literal["sle", "ule"] = "ule" if passed.operator == "ult" else "sle"
        grows = delta < 1 << (width - 1)
        if grows != passed.is_below:
            return
        by = delta if grows else (1 << width) - delta
        beyond = by - (0 if passed.with_bound else 1)  # how far behind the bound the value may get
        least, most = (0, (1 << width) - 1) if weak == "ule" else (1 << (width - 1), (1 << (width - 1)) - 1)
        mask = (1 << width) - 1

        def in_order(one: Term, other: Term) -> Term:
            return terms.apply(weak, (one, other) if grows else (other, one))

        limit = (most - beyond if grows else least + beyond) & mask
        is_safe = in_order(passed.bound, terms.constant(limit, width))
        end = terms.apply("add", (passed.bound, terms.constant((beyond if grows else -beyond) & mask, width)))
        yield terms.implies(is_safe, in_order(first, value))
        yield terms.implies(is_safe, terms.any(terms.equal(value, first), in_order(value, end)))
        if closed:
            largest = terms.constant(mask // by, _ROUND_WIDTH)
            yield terms.implies(is_safe, terms.apply("ule", (self._number(), largest)))

    def _one_step_back(self, counter: Counter) -> Iterator[Term]:
        """Yield that a value is its first one, or comes from one that has passed the test."""
        terms, width, value, first = self._terms, counter.value.width, counter.value, self._first(counter)
        earlier = self._facts.values.of_word(f"earlier {value.name}", width)
        found = self._scaling(counter)
        assert found is not None  # noqa: S101  (the caller has looked)
        by = terms.constant(found[1], width)
        operator = {"shl": "mul", "lshr": "udiv", "sdiv": "sdiv"}.get(found[0])
        if operator is None:
            return
        self.used.add("geometric")
        self._say(Arbitrary(earlier.name, width))
        yield terms.any(terms.equal(value, first), terms.equal(value, terms.apply(operator, (earlier, by))))
        for passed in self._passed(counter):
            if not passed.is_below or operator != "mul":
                continue
            is_first = terms.equal(value, first)
            yield terms.any(is_first, self._passes(earlier, passed))
            if passed.operator == "slt":
                zero = terms.constant(0, width)
                most = terms.constant(((1 << (width - 1)) - 1) // found[1], width)
                is_safe = terms.all(terms.apply("sle", (zero, first)), terms.apply("sle", (passed.bound, most)))
                yield terms.implies(is_safe, terms.apply("sle", (zero, value)))
                yield terms.implies(is_safe, terms.any(is_first, terms.apply("sle", (zero, earlier))))

    # --- the kernel ---

    def replace_in(self, blocks: dict[str, Block]) -> None:
        """Put the instructions into the header, and a block with the values at entry before it."""
        facts, header = self._facts, blocks[self._facts.loop.header]
        places = [number for number, (name, _) in enumerate(header.parameters) if name not in self.closed]
        counts = bool(self.closed)
        before = f"before {header.name}"
        following = f"next {self.round}"

        def redirected(block: Block) -> Block:
            def to(target: JumpTarget) -> JumpTarget:
                if target.block != header.name:
                    return target
                if block.name not in facts.loop.blocks:
                    return replace(target, block=before)
                return JumpTarget(header.name, (*[following] * counts, *(target.arguments[place] for place in places)))

            return replace(block, end=replace(block.end, targets=tuple(map(to, block.end.targets))))

        for name in list(blocks):
            blocks[name] = redirected(blocks[name])
        first: tuple[Operand, ...] = (Constant(0, _ROUND_WIDTH),) * counts
        given = tuple(_before(header.parameters[place][0]) for place in places)
        blocks[before] = Block(
            before,
            tuple((_before(name), width) for name, width in header.parameters),
            (),
            End((JumpTarget(header.name, (*first, *given)),)),
        )
        header = blocks[header.name]
        if counts:
            one = Constant(1, _ROUND_WIDTH)
            self._say(Compute(following, "add", (self.round, one), _ROUND_WIDTH))
        blocks[header.name] = replace(
            header,
            parameters=(*[(self.round, _ROUND_WIDTH)] * counts, *(header.parameters[place] for place in places)),
            instructions=(*self.writer.body, *header.instructions),
        )


def _before(name: str) -> str:
    """Return the name of the value with which a parameter of a loop begins."""
    return f"first {name}"
