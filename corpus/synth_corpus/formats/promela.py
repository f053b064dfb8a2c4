"""The format `promela`: a model for SPIN, a model checker that shares nothing with this project (spinroot.com).

    spin -a tests.pml && gcc -o pan pan.c
    ./pan -a -N test_0        does test 0 always end, whoever is scheduled?      errors: 0 if it passes `unfair`
    ./pan -a -f -N test_0     and if no thread is passed over without end?          errors: 0 if it passes `fair.weak`

A thread is a process, and an instruction is one atomic step. `init` chooses one of the tests and starts its threads.
For each test, an LTL property says that the test ends, or that another test was chosen. SPIN's weak fairness (`-f`)
applies to processes that can always take a step, as a live thread can. So it is the weak form of `fair`. SPIN's
processes have no order, so no other of the six models can be checked. SPIN takes at most 255 kinds of processes;
threads and properties count as kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import LimitError
from synth_checker.programs.id_layout import thread_count, threads_of
from synth_corpus.formats.format import Export, Format
from synth_corpus.parts import thread_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from synth_checker.programs.program import Instruction, Thread

#: The most kinds of processes that SPIN takes, without `init`.
_MOST_KINDS = 254
_NONE = 255  # no test is chosen yet
_HEAD = f"""\
/* Progress litmus tests. For each, test_N says that it ends:
 *   spin -a FILE && gcc -o pan pan.c && ./pan -a -N test_0      (unfair)
 *                                       ./pan -a -f -N test_0   (fair.weak)
 */
byte mem[LOCATIONS];
byte ended = 0;       /* threads */
byte chosen = {_NONE};    /* test */
"""


def _write(export: Export) -> Iterator[str]:
    ids: list[str] = []
    kinds: dict[str, int] = {}
    for test in export.tests():
        ids.append(test.id)
        for digits in threads_of(test.id):
            kinds.setdefault(digits, len(kinds))
        if len(ids) + len(kinds) > _MOST_KINDS:
            raise LimitError(
                f"format promela: found at least {len(ids)} tests and {len(kinds)} different threads, expected at most "
                f"{_MOST_KINDS} of both together, the limit of SPIN"
            )
    threads = {digits: thread_in(digits) for digits in kinds}
    locations = 1 + max((i.loc for thread in threads.values() for i in thread), default=0)
    yield _HEAD.replace("LOCATIONS", str(locations))
    for digits, thread in threads.items():
        yield from _process(f"thread_{kinds[digits]}", digits, thread)
    yield from _init(ids, kinds)
    for number, id_ in enumerate(ids):
        end = f"ended == {thread_count(id_)}"
        yield f"ltl test_{number} {{ <> ({end} || (chosen != {_NONE} && chosen != {number})) }} /* {id_} */\n"


def _process(name: str, digits: str, thread: Thread) -> Iterator[str]:
    yield f"\nproctype {name}() /* {digits} */\n{{\n"
    for pc, instruction in enumerate(thread):
        taken = _then(instruction, instruction.target, len(thread))
        not_taken = _then(instruction, pc + 1, len(thread))
        test = f"mem[{instruction.loc}] == {instruction.check}"
        yield f"L{pc}: atomic {{ if :: {test} -> {taken} :: else -> {not_taken} fi }};\n"
    yield "stop: skip\n}\n"


def _then(instruction: Instruction, target: int, size: int) -> str:
    store = [] if instruction.exch is None else [f"mem[{instruction.loc}] = {instruction.exch}"]
    return "; ".join([*store, f"goto L{target}"] if target < size else [*store, "ended++", "goto stop"])


def _init(ids: Iterable[str], kinds: dict[str, int]) -> Iterator[str]:
    yield "\ninit\n{\n  atomic {\n    if\n"
    for number, id_ in enumerate(ids):
        runs = "; ".join(f"run thread_{kinds[digits]}()" for digits in threads_of(id_))
        yield f"    :: chosen = {number}; {runs}\n"
    yield "    fi\n  }\n}\n\n"


FORMAT = Format(name="promela", says="a model for SPIN with a property for each test", suffix=".pml", write=_write)
