"""Contracts of functions that are not inlined: what a call needs, and what it leaves.

The lines of a contract, such as `__requires(i < n)`, stand at the beginning of the body of their function. They speak
of parameters, ids and memory, so that a caller can say them, too. So we take the instructions of a line as they are,
with the arguments of a call in place of the parameters:

- in front of a call stand the preconditions of the function, as guarantees of the caller;
- behind the call, the caller relies on the postconditions;
- the function itself relies on its preconditions, and guarantees its postconditions where it returns.

The argument of `__old_T` is computed at the beginning of the function, or in front of the call.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from synth_kernels.clang.annotation_blocks import CLAIM, OPENING
from synth_kernels.clang.frame import Unsupported
from synth_kernels.clang.ir import VOID, IrBlock, IrInstruction, Value
from synth_kernels.clang.marks import CHECKS, GIVES, UNSET
from synth_kernels.clang.units import Clause, Contract

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from synth_kernels.clang.ir import IrFunction, Module
    from synth_kernels.program import Kind

#: Calls that stand for steps of a contract: the end of its values, what keeps one, and a call itself.
END, KEEPS, CALLS = "__synth_contract_end", "__synth_contract_keep", "__synth_contract_call "
#: How the claims of contracts are called here.
GUARANTEE, RELY = f"{CLAIM}guarantee", f"{CLAIM}rely"
#: Says that a body is only a contract, and which arrays the function accesses.
DECLARED: dict[str, Kind] = {"__reads_from": "read", "__writes_to": "write"}
_OLD, _RETURNED = "__old_", "__return_val_"
_ONCE = "global_"
_PURE = {
    *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr", "and", "or", "xor", "icmp", "select"),
    *("trunc", "zext", "sext", "getelementptr", "addrspacecast", "bitcast", "freeze", "ptrtoint", "fcmp", "fneg"),
    *("extractelement", "insertelement", "shufflevector", "extractvalue", "insertvalue"),
}
#: Instructions that access memory or wait, and the calls that do neither, besides those of pure functions.
_ACTS = {"store", "load", "atomicrmw", "cmpxchg", "fence"}
_QUIET = ("llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias.", "llvm.expect.", GIVES, CHECKS)


def is_clause(instruction: IrInstruction) -> bool:
    """Return whether an instruction claims a precondition or a postcondition."""
    word = instruction.detail.removeprefix(CLAIM).removeprefix(_ONCE)
    return instruction.opcode == "call" and instruction.detail.startswith(CLAIM) and word in {"requires", "ensures"}


def contract_of(function: IrFunction, module: Module) -> Contract:
    """Return the contract of a function whose annotations are flat.

    Raises:
        Unsupported: a line of it does not stand at the beginning, or speaks of what callers do not have.
    """
    contract = Contract(function)
    first = function.blocks[0]
    if any(
        is_clause(instruction) for block in function.blocks if block is not first for instruction in block.instructions
    ):
        raise Unsupported("a line of a contract that does not stand at the beginning of its function")
    last = max((number for number, instruction in enumerate(first.instructions) if is_clause(instruction)), default=0)
    if any(_acts(first.instructions[:last], module)):
        raise Unsupported("a line of a contract behind something that the function does; put the line first")
    definitions = {instruction.name: instruction for instruction in first.instructions if instruction.name}
    begin = 0
    for number, instruction in enumerate(first.instructions):
        if instruction.detail == OPENING:
            begin = number
        elif is_clause(instruction):
            body = tuple(first.instructions[begin : number + 1])
            word = instruction.detail.removeprefix(CLAIM)
            once = word.startswith(_ONCE)
            needs = tuple(_needed_instructions(body, definitions, function, module))
            contract.clauses.append(Clause(word.removeprefix(_ONCE), needs, body, once))
    contract.accesses = [
        (instruction.operands[0], DECLARED[short_name])
        for block in function.blocks
        for instruction in block.instructions
        if instruction.opcode == "call" and (short_name := plain_name(instruction.detail)) in DECLARED
    ]
    if contract.is_declared:
        _check_declared(function, module)
    return contract


def plain_name(detail: str) -> str:
    """Return the name of a function of our headers, which OpenCL C may have mangled."""
    from synth_kernels.clang.mangled_names import plain_name_and_codes

    return plain_name_and_codes(detail)[0]


def _check_declared(function: IrFunction, module: Module) -> None:
    """Refuse a body that is more than a contract."""
    if any(_acts((instruction for block in function.blocks for instruction in block.instructions), module)):
        raise Unsupported(
            "a body with __reads_from or __writes_to that also does something; leave only the contract in it"
        )


def _acts(instructions: Iterable[IrInstruction], module: Module) -> Iterator[IrInstruction]:
    """Yield the instructions outside annotations that access memory, wait, or may do so."""
    inside = False
    for instruction in instructions:
        inside = instruction.detail == OPENING or (inside and not instruction.detail.startswith(CLAIM))
        is_quiet = instruction.detail in module.pure or instruction.detail.startswith((*_QUIET, CLAIM, OPENING))
        is_call = instruction.opcode == "call" and not is_quiet and plain_name(instruction.detail) not in DECLARED
        begins_life = any(value.name.startswith(UNSET) for value in instruction.operands)
        if not inside and not begins_life and (is_call or instruction.opcode in _ACTS):
            yield instruction


def _needed_instructions(
    body: Sequence[IrInstruction], definitions: Mapping[str, IrInstruction], function: IrFunction, module: Module
) -> Iterator[IrInstruction]:
    """Yield the instructions before a clause that compute what it speaks of."""
    inside = {instruction.name for instruction in body}
    parameters = {parameter.name for parameter in function.parameters}
    needed: dict[str, IrInstruction] = {}
    todo = [value for instruction in body for value in _locals(instruction.operands)]
    while todo:
        name = todo.pop()
        if name in inside | parameters or name in needed:
            continue
        definition = definitions.get(name)
        if definition is None or not (
            definition.opcode in _PURE or (definition.opcode == "call" and definition.detail in module.pure)
        ):
            raise Unsupported("a contract that speaks of values which callers do not have; use the parameters")
        needed[name] = definition
        todo += _locals(definition.operands)
    yield from (instruction for name, instruction in definitions.items() if name in needed)


def _locals(operands: Sequence[Value]) -> Iterator[str]:
    for value in operands:
        if value.kind == "local":
            yield value.name
        yield from _locals(value.parts)


class ContractExpansion:
    """Puts contracts where functions are called and where they return. `contracts` has them by function."""

    def __init__(self, module: Module, contracts: Mapping[str, Contract]) -> None:
        self._module, self._contracts = module, contracts
        self._number = 0
        self._debugs: dict[tuple[int, int], int] = {}

    def expanded(self, function: IrFunction, contract: Contract | None) -> IrFunction:
        """Return a function with the contracts of what it calls, and with its own if it is not a kernel."""
        blocks = [
            IrBlock(block.name, [new for instruction in block.instructions for new in self._around(instruction)])
            for block in function.blocks
        ]
        result = replace(function, blocks=blocks)
        return result if contract is None else self._with_own(result, contract)

    def _around(self, call: IrInstruction) -> Iterator[IrInstruction]:
        if call.opcode != "call" or call.detail not in self._contracts:
            yield call
            return
        contract = self._contracts[call.detail]
        if len(call.operands) != len(contract.function.parameters):
            raise Unsupported(
                f"a call of {plain_name(call.detail)} with more or fewer arguments than it has parameters"
            )
        values = {
            parameter.name: value for parameter, value in zip(contract.function.parameters, call.operands, strict=True)
        }
        self._number += 1
        prefix = f"contract.{self._number}."
        olds = []
        for clause in contract.clauses:
            if clause.word == "requires":
                yield from self._clause(clause, values, prefix, GUARANTEE, call)
            else:
                olds.append(dict(values))
                yield from self._olds(clause, olds[-1], prefix, call)
        yield replace(call, detail=f"{CALLS}{call.detail}")
        for clause, known in zip(
            (postcondition for postcondition in contract.clauses if postcondition.word == "ensures"), olds, strict=True
        ):
            yield from self._clause(clause, known, prefix, RELY, call)

    def _with_own(self, function: IrFunction, contract: Contract) -> IrFunction:
        """Return a function that relies on its preconditions, and guarantees its postconditions where it returns."""
        first, *others = function.blocks
        bodies = {id(step): clause for clause in contract.clauses for step in clause.body}
        head: list[IrInstruction] = []
        ends: list[tuple[Clause, dict[str, Value]]] = []
        copied: set[int] = set()
        for instruction in first.instructions:
            clause = bodies.get(id(instruction))
            if clause is None:
                head.append(instruction)
            elif contract.is_declared and clause.word == "ensures":
                continue
            elif id(clause) not in copied:
                copied.add(id(clause))
                self._number += 1
                if clause.word == "requires":
                    head += self._clause(clause, {}, f"own.{self._number}.", RELY, None)
                else:
                    known: dict[str, Value] = {}
                    head += self._olds(clause, known, f"old.{self._number}.", None)
                    ends.append((clause, known))
        blocks = [
            IrBlock(
                block.name,
                [instruction for instruction in block.instructions if plain_name(instruction.detail) not in DECLARED],
            )
            for block in (IrBlock(first.name, head), *others)
        ]
        if not ends:
            return replace(function, blocks=blocks)
        return replace(function, blocks=self._returning(blocks, ends))

    def _returning(self, blocks: list[IrBlock], ends: Sequence[tuple[Clause, dict[str, Value]]]) -> list[IrBlock]:
        """Return blocks of which only the last one returns, behind the postconditions."""
        returns = [block for block in blocks if block.instructions[-1].opcode == "ret"]
        if not returns:
            return blocks
        last = IrBlock("synth.return")
        value: Value | None = None
        if returned := returns[0].instructions[-1].operands:
            value = Value("local", returned[0].type, "synth.returned")
            operands = tuple(block.instructions[-1].operands[0] for block in returns)
            labels = tuple(block.name for block in returns)
            last.instructions.append(IrInstruction("phi", value.name, value.type, operands, labels))
        debug = returns[-1].instructions[-1].debug
        for block in returns:
            block.instructions[-1] = IrInstruction("br", "", VOID, (), (last.name,), debug=block.instructions[-1].debug)
        for clause, known in ends:
            self._number += 1
            prefix = f"returns.{self._number}."
            last.instructions += self._clause(clause, known, prefix, GUARANTEE, None, value)
        last.instructions.append(IrInstruction("ret", "", VOID, () if value is None else (value,), debug=debug))
        return [*blocks, last]

    # --- copies of instructions ---

    def _olds(
        self, clause: Clause, known: dict[str, Value], prefix: str, call: IrInstruction | None
    ) -> Iterator[IrInstruction]:
        """Yield what computes the values that a clause has of before, and note their names."""
        old_calls = [step for step in clause.body if step.detail.startswith(_OLD)]
        if not old_calls:
            return
        inside = {step.name: step for step in clause.body if step.name}
        needed: set[str] = set()
        todo = [name for instruction in old_calls for name in _locals(instruction.operands)]
        while todo:
            name = todo.pop()
            if name in inside and name not in needed:
                needed.add(name)
                todo += _locals(inside[name].operands)
        mine = dict(known)
        if call is not None:
            yield from (self._copy(instruction, mine, f"{prefix}needs.", call) for instruction in clause.needs)
        yield self._copy(clause.body[0], mine, prefix, call)
        yield from (self._copy(step, mine, f"{prefix}before.", call) for step in clause.body if step.name in needed)
        for instruction in old_calls:
            self._number += 1
            name = f"{prefix}{instruction.name}.{self._number}"
            yield replace(self._copy(instruction, mine, prefix, call), name=name, detail=KEEPS)
            known[instruction.name] = Value("local", instruction.type, name)
        yield IrInstruction("call", "", VOID, detail=END)

    def _clause(  # noqa: PLR0913, PLR0917
        self,
        clause: Clause,
        values: Mapping[str, Value],
        prefix: str,
        claim: str,
        call: IrInstruction | None,
        returned: Value | None = None,
    ) -> Iterator[IrInstruction]:
        """Yield a copy of a clause with other values and another claim."""
        known = dict(values)
        olds = {step.name for step in clause.body if step.detail.startswith(_OLD) and step.name in known}
        if call is not None:
            yield from (self._copy(instruction, known, prefix, call) for instruction in clause.needs)
            returned = Value("local", call.type, call.name) if call.name else None
        for instruction in clause.body:
            if instruction.name in olds:
                continue
            if instruction.detail.startswith(_RETURNED):
                known[instruction.name] = self._result(returned, instruction)
                continue
            copy = self._copy(instruction, known, prefix, call)
            yield (
                replace(copy, detail=f"{claim}_once" if clause.once else claim) if instruction is clause.claim else copy
            )

    @staticmethod
    def _result(returned: Value | None, instruction: IrInstruction) -> Value:
        if returned is None or (returned.type.kind, returned.type.bits) != (
            instruction.type.kind,
            instruction.type.bits,
        ):
            raise Unsupported(f"{instruction.detail} in a function that returns another type")
        return returned

    def _copy(
        self, instruction: IrInstruction, known: dict[str, Value], prefix: str, call: IrInstruction | None
    ) -> IrInstruction:
        """Return an instruction with values that are known, under a new name, which is known from here on."""
        operands = tuple(_replace_locals(value, known) for value in instruction.operands)
        name = f"{prefix}{instruction.name}" if instruction.name else ""
        if instruction.name:
            known[instruction.name] = Value("local", instruction.type, name)
        return replace(instruction, name=name, operands=operands, debug=self._debug(instruction.debug, call))

    def _debug(self, debug: int | None, call: IrInstruction | None) -> int | None:
        """Return the place of an instruction of a contract in a call, as LLVM notes what is inlined."""
        if call is None or call.debug is None or debug is None:
            return debug
        key = debug, call.debug
        if key not in self._debugs:
            text = self._module.metadata.get(debug, "")
            number = max(self._module.metadata, default=0) + 1
            if text.endswith(")") and "inlinedAt" not in text:
                text = f"{text[:-1]}, inlinedAt: !{call.debug})"
            self._module.metadata[number] = text
            self._debugs[key] = number
        return self._debugs[key]


def _replace_locals(value: Value, known: Mapping[str, Value]) -> Value:
    if value.kind == "local":
        return known.get(value.name, value)
    return replace(value, parts=tuple(_replace_locals(part, known) for part in value.parts)) if value.parts else value
