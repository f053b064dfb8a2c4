"""The format `cadp`: a folder for CADP, in whose language LNT the paper wrote its models (section 4, cadp.inria.fr).

    out/test_0.lnt         a test: a process that takes one step of one live thread after the other
    out/2-OBE.weak.mcl     two threads, a verdict: the MCL formula that holds of a test which fails it
    out/expected.csv       test, id, verdict, and what the formula is expected to be
    out/run.sh             asks every formula of every test and prints what differs

A step is an action `STEP !t !l0 !l1 !s0 !s1`: thread t steps, `lk` says whether thread k is live, and `sk` whether it
has stepped. So one LNT text is enough for all models that are set expressions: a formula expresses the fair set in
terms of these values. The paper instead computes the fair set in LNT, with a process for each model. Read literally,
its strong formula passes everything under `unfair`. The formulas of this module follow the definitions, section 5:

- weak: there is an infinite run in which each thread, infinitely often, steps or is not in the fair set;
- strong: there is a set of states that some step from each state keeps to, and that no step of a thread in the fair set
  leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import read_definition, verdict_named
from synth_checker.models.expression import Function, Name, Operation
from synth_corpus.formats.folder import put_texts
from synth_corpus.formats.format import Export, Format
from synth_corpus.parts import program_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from synth_checker.models import Form
    from synth_checker.models.expression import Expression
    from synth_checker.programs.program import Instruction, Program

_KIND = "progress litmus tests for CADP"
_RUN = """\
#!/bin/sh
# Needs CADP (lnt.open, evaluator4). Prints the lines of expected.csv that CADP contradicts; nothing is good news.
cd "$(dirname "$0")" || exit 2
tail -n +2 expected.csv | while IFS=, read -r test threads id verdict expected; do
    found=$(lnt.open "$test.lnt" evaluator4 "$threads-$verdict.mcl" </dev/null | grep -o -w -E 'TRUE|FALSE' | tail -n 1)
    [ "$found" = "$expected" ] || echo "$test,$threads,$id,$verdict,$expected but found ${found:-nothing}"
done
"""

_CHOICE = """\
only if p{thread} == {pc} then
          STEP ({thread}, {offers});
          {step};
          s{thread} := true
        end if"""


def _put(export: Export, place: Path, *, force: bool) -> None:
    put_texts(_texts(export), place, _KIND, force=force)


def _texts(export: Export) -> Iterator[tuple[str, str]]:
    models = tuple(read_definition(name, definition, "model") for name, definition in export.models.items())
    expected = ["test,threads,id,verdict,formula\n"]
    sizes: set[int] = set()
    for number, test in enumerate(export.tests()):
        program = program_in(test.id)
        threads = len(program)
        yield f"test_{number}.lnt", lnt(program, f"test_{number}", test.id)
        for verdict, result in test.verdicts.items():
            expected.append(f"test_{number},{threads},{test.id},{verdict},{str(result == 'fail').upper()}\n")
            if threads not in sizes:
                model, form = verdict_named(verdict, models)
                if not isinstance(model.fair, Name | Function | Operation):
                    raise InputError(
                        f"format cadp: the model {model.name} is not a set expression, which this format needs"
                    )
                yield f"{threads}-{verdict}.mcl", mcl(model.fair, form, threads, verdict)
        sizes.add(threads)
    yield "expected.csv", "".join(expected)
    yield "run.sh", _RUN


def lnt(program: Program, module: str, id_: str) -> str:
    """Return a program as an LNT module, in which memory and program counters are natural numbers."""
    threads = range(len(program))
    memory = [f"m{loc}" for loc in range(program.locations())]
    counters = [f"p{t}" for t in threads]
    stepped = [f"s{t}" for t in threads]
    lives = [f"p{t} < {len(thread)}" for t, thread in enumerate(program)]
    start = [*(f"{name} := 0" for name in (*memory, *counters)), *(f"{name} := false" for name in stepped)]
    offers = ", ".join([*lives, *stepped])
    choices = [
        _CHOICE.format(thread=t, pc=pc, offers=offers, step=_step(t, pc, instruction))
        for t, thread in enumerate(program)
        for pc, instruction in enumerate(thread)
    ]
    body = "\n      []\n        ".join(choices)
    ended = " and ".join(f"p{t} == {len(thread)}" for t, thread in enumerate(program))
    variables = ", ".join([*memory, *counters])
    lines = [
        f"-- Progress litmus test {id_}",
        f"module {module} is",
        "",
        "process MAIN [STEP : any] is",
        f"  var {variables} : Nat, {', '.join(stepped)} : Bool in",
        f"    {'; '.join(start)};",
        "    loop L in",
        f"      if {ended} then break L end if;",
        f"      select\n        {body}",
        "      end select",
        "    end loop",
        "  end var",
        "end process",
        "",
        "end module",
    ]
    return "".join(f"{line}\n" for line in lines)


def _step(thread: int, pc: int, instruction: Instruction) -> str:
    """Return the effect of an instruction. The counter changes first, because it depends on the old memory."""
    compared = f"m{instruction.loc} == {instruction.check}"
    goes = (
        f"p{thread} := {pc + 1}"
        if instruction.target == pc + 1
        else f"if {compared} then p{thread} := {instruction.target} else p{thread} := {pc + 1} end if"
    )
    return goes if instruction.exch is None else f"{goes}; m{instruction.loc} := {instruction.exch}"


def mcl(fair: Expression, form: Form, threads: int, verdict: str) -> str:
    """Return the MCL formula that holds for a program with so many threads exactly if the program fails a verdict."""
    offers = " ".join(["?t:Nat", *(f"?l{k}:Bool" for k in range(threads)), *(f"?s{k}:Bool" for k in range(threads))])
    members = [_both(f"l{k}", member(fair, k, threads)) for k in range(threads)]
    if form == "weak":
        eases = [
            f"true* . {{STEP {offers} where (t = {k}){'' if fair_k == 'true' else f' or not ({fair_k})'}}}"
            for k, fair_k in enumerate(members)
        ]
        formula = "< true* >\n< " + " .\n  ".join(eases) + "\n> @\n"
    else:
        steps = _any([_both(f"(t = {k})", fair_k) for k, fair_k in enumerate(members)])
        formula = f"< true* >\nnu X . (\n  < true > X\n  and\n  [ {{STEP {offers} where {steps}}} ] X\n)\n"
    return f"(* holds if a program of {threads} threads fails {verdict} *)\n{formula}"


def member(expression: Expression, thread: int, threads: int) -> str:
    """Return the condition that a thread is in the set of an expression, as a formula.

    The formula uses `lk` (thread k is live) and `sk` (thread k has stepped).
    """
    match expression:
        case Name(name):
            return {"live": f"l{thread}", "stepped": f"s{thread}", "all": "true", "none": "false"}[name]
        case Function("upto", of):
            return _any([member(of, k, threads) for k in range(thread, threads)])
        case Function(function, of):
            before = range(thread) if function == "lowest" else range(thread + 1, threads)
            return _all([member(of, thread, threads), *(_not(member(of, k, threads)) for k in before)])
        case Operation("-", left, right):
            return _both(member(left, thread, threads), _not(member(right, thread, threads)))
        case Operation("&", left, right):
            return _both(member(left, thread, threads), member(right, thread, threads))
        case Operation(_, left, right):
            return _any([member(left, thread, threads), member(right, thread, threads)])


def _both(first: str, other: str) -> str:
    return _all([first, other])


def _all(parts: Sequence[str]) -> str:
    """Return a conjunction, without parts that add nothing."""
    if "false" in parts:
        return "false"
    kept = [part for part in dict.fromkeys(parts) if part != "true"]
    return " and ".join(kept if len(kept) == 1 else map(_enclosed, kept)) or "true"


def _any(parts: Sequence[str]) -> str:
    """Return a disjunction, without parts that add nothing."""
    if "true" in parts:
        return "true"
    kept = [part for part in dict.fromkeys(parts) if part != "false"]
    return " or ".join(kept if len(kept) == 1 else map(_enclosed, kept)) or "false"


def _not(part: str) -> str:
    return {"true": "false", "false": "true"}.get(part, f"not ({part})")


def _enclosed(part: str) -> str:
    return f"({part})" if " or " in part else part


FORMAT = Format(
    name="cadp",
    says="a folder for CADP: an LNT module for each test, an MCL formula for each verdict",
    suffix="",
    put=_put,
)
