"""Litmus programs as kernels in OpenCL C and CUDA, one thread to a workgroup."""

from support.launches import machine_of, space_of
from synth_checker.models import library, verdict_names
from synth_checker.programs.normal import written_out
from synth_checker.verdicts import judge
from synth_kernels.progress.core_space import explore_fast
from synth_kernels.progress.decision import ModelVerdicts
from synth_kernels.progress.verdicts import passes

#: How a kernel begins, its group, and how it exchanges and loads, by the ending of its file.
LANGUAGES = {
    ".cl": ("kernel void {name}(volatile global int *M)", "get_group_id(0)", "atomic_xchg({}, {})", "atomic_or({}, 0)"),
    ".cu": ("__global__ void {name}(int *M)", "blockIdx.x", "atomicExch({}, {})", "atomicAdd({}, 0)"),
}  # fmt: skip


def in_language(ending, programs):
    """Return the source of a file with a kernel for each program: k0, k1, and so on."""
    return "\n".join(_kernel(ending, f"k{number}", program) for number, program in enumerate(programs))


def _kernel(ending, name, program):
    head, group, exchange, load = LANGUAGES[ending]
    lines = [f"{head.format(name=name)} {{", "    int pc = 0;", f"    switch ({group}) {{"]
    for number, thread in enumerate(program):
        lines += [f"    case {number}:", f"        while (pc != {len(thread)}) {{", "            switch (pc) {"]
        for pc, instruction in enumerate(thread):
            place = f"&M[{instruction.loc}]"
            access = load.format(place) if instruction.exch is None else exchange.format(place, instruction.exch)
            after = f"{instruction.target} : {pc + 1}"
            lines += [f"            case {pc}: pc = {access} == {instruction.check} ? {after}; break;"]
        lines += ["            }", "        }", "        break;"]
    return "\n".join([*lines, "    }", "}"])


def of_the_core(program):
    """Return each verdict of a program, as the core judges it."""
    mask = judge([written_out(program)])[0]
    return {name: bool(mask >> place & 1) for place, name in enumerate(verdict_names(library()))}


def of_a_kernel(kernel, workgroups, arguments):
    """Return each verdict of a launch of a kernel, in workgroups of one thread. The core and its slow twin agree."""
    space = explore_fast(machine_of(kernel, workgroups, arguments=arguments), 100_000)
    found = ModelVerdicts(space, library()).passes()
    slow = space_of(kernel, workgroups, arguments=arguments)
    assert len(space.states) == len(slow.states)
    assert found == {name: ok for model in library() for name, ok in passes(slow, model).items()}
    return found
