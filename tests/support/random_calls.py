"""Random kernels in OpenCL C that call functions: for proofs by contracts, and for runs in which all is inlined.

A file has many kernels, so that the compiler starts once. Recursion of a few calls is written out for the runs.
"""

import random
from dataclasses import replace
from pathlib import Path

from random_kernels import CONTENTS, faults
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.modular.effects import calls_of, link_calls
from synth_kernels.modular.proof import verify_together
from synth_kernels.pair.options import DEFAULT
from synth_kernels.program import Kernel

#: So many calls of a recursive function are written out, more than any run makes.
DEPTH = 6
_NUMBERS = ("0", "1", "2", "lid", "lid", "gid", "x", "v", "lid + 1", "2 * lid", "gid + x", "lid ^ 1")
_TESTS = ("lid < 2", "x < 2", "n > 0", "v > 0", "lid == 0", "n > 1", "lid == x")
_FENCES = ("CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE")


class _Writing:
    """One kernel with its functions. `calls` are the functions that the text may call, each with its pointers."""

    def __init__(self, chosen, number):
        self._chosen, self._number = chosen, number

    def run(self):
        chosen, functions, calls = self._chosen, [], []
        for place in range(chosen.randint(1, 2)):
            spaces = [chosen.choice(("__global", "__local")) for _ in range(chosen.choice((1, 1, 2)))]
            name = f"f{self._number}_{place}"
            pointers = [f"p{number}" for number in range(len(spaces))]
            is_recursive = chosen.random() < 0.2
            again = f"if (x > 0 && x < 4) {name}@({', '.join(pointers)}, x - 1, n);" if is_recursive else ""
            contract = chosen.choice(("", "", "", "__requires(x < 3);", "__requires(__uniform_int(x));"))
            contract += chosen.choice(("", "", "__ensures(__return_val_int() <= x);"))
            body = self._body(pointers, calls, 3)
            result = chosen.choice(("v", "x", "0", "lid"))
            parameters = [f"{space} int *{pointer}" for space, pointer in zip(spaces, pointers, strict=True)]
            functions.append(
                f"int {name}@({', '.join(parameters)}, int x, int n) {{ {contract} int lid = get_local_id(0), "
                f"gid = get_global_id(0), v = 0; {body} {again} return {result}; }}"
            )
            calls.append((name, spaces))
        body = self._body(["g", "l"], calls, 4, {"g": "__global", "l": "__local"}, must_call=True)
        kernel = (
            f"__kernel void k{self._number}(__global int *g, __local int *l, int n) {{ int lid = get_local_id(0), "
            f"gid = get_global_id(0), v = 0, x = {chosen.choice(('0', 'n', 'lid'))}; {body} }}"
        )
        return functions, kernel

    def _body(self, pointers, calls, size, spaces=None, *, must_call=False):
        steps = [self._step(pointers, calls, spaces, 2) for _ in range(self._chosen.randint(1, size))]
        if must_call:
            steps.insert(self._chosen.randint(0, len(steps)), self._call(pointers, calls, spaces))
        return " ".join(steps)

    def _step(self, pointers, calls, spaces, depth):
        chosen = self._chosen
        kind = chosen.choice(("write", "write", "read", "barrier", "call", "if", "for", "return")[: 8 if depth else 5])
        simple = {
            "write": f"{chosen.choice(pointers)}[{chosen.choice(_NUMBERS)}] = {chosen.choice(_NUMBERS)};",
            "read": f"v = {chosen.choice(pointers)}[{chosen.choice(_NUMBERS)}] & 3;",
            "barrier": f"barrier({chosen.choice(_FENCES)});",
        }
        if kind in simple:
            return simple[kind]
        if kind == "call" and spaces:
            return self._call(pointers, calls, spaces)
        inner = " ".join(self._step(pointers, calls, spaces, depth - 1) for _ in range(chosen.randint(1, 2)) if depth)
        if kind == "if":
            return f"if ({chosen.choice(_TESTS)}) {{ {inner} }}"
        if kind == "for":
            return f"for (int j = 0; j < {chosen.choice(('2', 'n', 'lid'))} && j < 3; j++) {{ {inner} }}"
        return "" if spaces or kind != "return" else f"if ({chosen.choice(_TESTS)}) return x;"

    def _call(self, pointers, calls, spaces):
        chosen = self._chosen
        name, wanted = chosen.choice(calls)
        given = []
        for space in wanted:
            fits = [pointer for pointer in pointers if spaces[pointer] == space]
            given.append(chosen.choice(fits) + chosen.choice(("", "", "", " + 1", " + lid", " + 4")))
        return f"{chosen.choice(('', 'v = '))}{name}@({', '.join(given)}, {chosen.choice(_NUMBERS)}, n);"


def sources(seed, count):
    """Return a source with random kernels, once as it is and once for runs, where recursion is written out."""
    chosen = random.Random(seed)
    with_calls, written_out = [], []
    for number in range(count):
        functions, kernel = _Writing(chosen, number).run()
        with_calls += [text.replace("@", "") for text in (*functions, kernel)]
        for text in functions:
            name = text.split("@")[0].removeprefix("int ")
            if text.count(f"{name}@") == 1:
                written_out.append(text.replace("@", ""))
                continue
            head, rest = text.split("{", 1)
            written_out.append(f"{head.replace('@', '__0')} {{ return 0; }}")
            for depth in range(1, DEPTH + 1):
                inner = rest.replace(f"{name}@", f"{name}__{depth - 1}").replace("@", "")
                written_out.append(f"{head.replace('@', f'__{depth}')} {{ {inner}")
            parameters = head.split("(", 1)[1].rsplit(")", 1)[0]
            names = ", ".join(parameter.split()[-1].lstrip("*") for parameter in parameters.split(","))
            written_out.append(f"int {name}({parameters}) {{ return {name}__{DEPTH}({names}); }}")
        written_out.append(kernel.replace("@", ""))
    return "\n".join(with_calls), "\n".join(written_out)


def judged(folder, solver, seed, count, launch, options=DEFAULT):
    """Yield random kernels: the text, the verdict by contracts, the faults of runs, and the kernel for runs."""
    with_calls, written_out = sources(seed, count)
    one, other = Path(folder) / f"calls{seed}.cl", Path(folder) / f"runs{seed}.cl"
    one.write_text(with_calls)
    other.write_text(written_out)
    found = link_calls(read(one, SourceOptions(modular=True)))
    runs = {kernel.name: kernel for kernel in read(other, SourceOptions()) if isinstance(kernel, Kernel)}
    units = {each.function.key: each for each in found if isinstance(each, Kernel) and each.function}
    for kernel in found:
        if isinstance(kernel, Kernel) and kernel.function is None:
            verdict = verdict_of(kernel, units, solver, launch, options)
            run = runs[kernel.name]
            yield kernel.name, verdict, faults(run, contents=CONTENTS), run


def verdict_of(kernel, units, solver, launch, options=DEFAULT):
    """Return the verdict on one kernel with the functions that it calls."""
    called, todo = {}, [call.unit for call in calls_of(kernel)]
    for key in todo:
        if key not in called:
            called[key] = units[key]
            todo += [call.unit for call in calls_of(units[key])]
    group = [(kernel, launch), *((unit, replace(launch, scalars=())) for unit in called.values())]
    return verify_together(group, solver, options)[0].report.verdict
