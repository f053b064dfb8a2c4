"""What emitted code does, one step or one workgroup at a time, on each target that runs here.

`steps_of` sets the memory of an instance and a location, runs `take_step` once, and tells what it made of them;
`places_of` runs single workgroups of a whole launch and tells which thread of which instance each was.
`steps_of_the_definitions` says what is right. A step is (thread, pc, memory before, next location or None at the end,
memory, flags).
"""

import itertools
import subprocess

from emitted import in_namespaces, opencl_context, source_of, written
from synth_backends.rendering import read_template
from synth_checker.program import Instruction, program
from synth_checker.twin import semantics

STOPPED = 2**32 - 1


def cases_of(threads):
    """Every thread, location (the end included) and memory: so every edge of the LTS, and those nothing reaches."""
    contents = list(itertools.product(range(threads.values() + 1), repeat=threads.locations()))
    return [
        (tid, pc, memory) for tid, thread in enumerate(threads) for pc in range(len(thread) + 1) for memory in contents
    ]


def steps_of_the_definitions(threads):
    """By section 1 of the definitions; at its end a thread changes nothing but that it has finished."""
    found = set()
    for tid, pc, memory in cases_of(threads):
        if pc == len(threads[tid]):
            flags = tuple(int(k == tid) for k in range(len(threads)))
            found.add((tid, pc, memory, None, memory, flags))
        else:
            pcs = tuple(pc if k == tid else 0 for k in range(len(threads)))
            after = semantics.step(threads, semantics.State(memory, pcs), tid)
            found.add((tid, pc, memory, after.pcs[tid], after.memory, (0,) * len(threads)))
    return found


#: A program that tells who ran: each thread stores something else in a location of its own.
def telling(threads):
    return written(program(*([Instruction(tid, 0, 1, tid + 1)] for tid in range(threads))))


# C++: all sources in one translation unit, each in a namespace of its own

SERVE = """
// Reads which test to ask for a step, from where; prints where it went and what it left.
template <typename Step>
void serve(Step step, unsigned locations, unsigned threads) {
    unsigned thread, pc;
    std::cin >> thread >> pc;
    std::vector<std::atomic<unsigned>> memory(locations);
    for (auto& word : memory) {
        unsigned value;
        std::cin >> value;
        word = value;
    }
    std::vector<unsigned> finished(threads);
    std::cout << step(thread, pc, memory.data(), finished.data());
    for (auto& word : memory) {
        std::cout << ' ' << word;
    }
    for (const unsigned flag : finished) {
        std::cout << ' ' << flag;
    }
    std::cout << '\\n';
}

// Prints for each workgroup alone which words and flags it has changed.
template <typename Run>
void place(Run run, unsigned workgroups, unsigned words, unsigned flags) {
    for (unsigned workgroup = 0; workgroup < workgroups; ++workgroup) {
        std::vector<std::atomic<unsigned>> memory(words);
        std::vector<unsigned> finished(flags);
        litmus_finished = finished.data();
        run(workgroup, memory.data());
        for (const auto& word : memory) {
            std::cout << word << ' ';
        }
        for (const unsigned flag : finished) {
            std::cout << flag << ' ';
        }
        std::cout << '\\n';
    }
}
"""


def _output_of_cpp(sources, folder, body, given=""):
    text = f"#include <iostream>\n{in_namespaces(sources)}{SERVE}int main() {{\n{body}}}\n"
    (folder / "harness.cpp").write_text(text, "utf-8")
    (folder / "litmus.h").write_text(read_template("common", "litmus.h"), "utf-8")
    compiled = ["g++", "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror", "-Wno-unused", "-pthread"]
    subprocess.run([*compiled, "-o", "harness", "harness.cpp"], cwd=folder, check=True, timeout=120)
    run = subprocess.run([folder / "harness"], input=given, capture_output=True, text=True, check=True, timeout=60)
    return [[int(word) for word in line.split()] for line in run.stdout.splitlines()]


def _steps_of_cpp(programs, sources, folder):
    cases = [(k, case) for k, threads in enumerate(programs) for case in cases_of(threads)]
    serving = "".join(
        f"    case {k}: serve(test_{k}::take_step, {threads.locations()}, {len(threads)}); break;\n"
        for k, threads in enumerate(programs)
    )
    body = f"    for (unsigned test; std::cin >> test;) switch (test) {{\n{serving}    }}\n"
    given = "".join(f"{k} {tid} {pc} {' '.join(map(str, memory))}\n" for k, (tid, pc, memory) in cases)
    found = [set() for _ in programs]
    for (k, case), line in zip(cases, _output_of_cpp(sources, folder, body, given), strict=True):
        found[k].add(_step(programs[k], case, line))
    return found


def _places_of_cpp(launches, sources, folder):
    body = "".join(
        f"    place(test_{k}::run, {launch.workgroups}, {words}, {launch.threads * launch.instances});\n"
        for k, (launch, words) in enumerate(launches)
    )
    lines = iter(_output_of_cpp(sources, folder, body))
    return [[_place(launch, words, next(lines)) for _ in range(launch.workgroups)] for launch, words in launches]


# OpenCL: on PoCL, all sources in one program, where each has names of its own, and all cases of one in one launch

EXPLORE = """
kernel void explore(global uint* threads, global uint* pcs, words memory, words finished, global uint* next) {{
    const uint k = get_global_id(0);
    next[k] = take_step(threads[k], pcs[k], memory + k * {locations}u, finished + k * {size}u);
}}
"""
NAMES = ["words", "exchange", "add", "stopped", "run_stress", "take_step", "run", "explore"]


def _opencl_program(sources):
    import pyopencl

    text = ""
    for k, source in enumerate(sources):
        text += "".join(f"#define {name} {name}_{k}\n" for name in NAMES) + source
        text += "".join(f"#undef {name}\n" for name in NAMES)
    return pyopencl.Program(opencl_context(), text).build(["-cl-std=CL3.0", "-Werror"])


def _on_opencl(kernel, size, *arrays):
    """Run a kernel over arrays of 32-bit words, and return them as it leaves them."""
    import numpy as np
    import pyopencl

    context = opencl_context()
    queue = pyopencl.CommandQueue(context)
    given = [np.array(array, np.uint32) for array in arrays]
    flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
    buffers = [pyopencl.Buffer(context, flags, hostbuf=array) for array in given]
    kernel(queue, (size,), (1,), *buffers)
    for array, buffer in zip(given, buffers, strict=True):
        pyopencl.enqueue_copy(queue, array, buffer)
    return [array.tolist() for array in given]


def _steps_of_opencl(programs, sources, _folder):
    found = []
    explored = [
        source + EXPLORE.format(locations=threads.locations(), size=len(threads))
        for threads, source in zip(programs, sources, strict=True)
    ]
    built = _opencl_program(explored)
    for number, threads in enumerate(programs):
        cases, locations, size = cases_of(threads), threads.locations(), len(threads)
        kernel = getattr(built, f"explore_{number}")
        before = [value for _, _, memory in cases for value in memory]
        _, _, memory, flags, after = _on_opencl(
            kernel,
            len(cases),
            [tid for tid, _, _ in cases],
            [pc for _, pc, _ in cases],
            before,
            [0] * (len(cases) * size),
            [0] * len(cases),
        )
        found.append(
            {
                _step(
                    threads,
                    case,
                    [after[k], *memory[k * locations : (k + 1) * locations], *flags[k * size : (k + 1) * size]],
                )
                for k, case in enumerate(cases)
            }
        )
    return found


def _places_of_opencl(launches, sources, _folder):
    """A workgroup is what changes when one more is launched."""
    found = []
    built = _opencl_program(sources)
    for number, (launch, words) in enumerate(launches):
        kernel = getattr(built, f"run_{number}")
        size = launch.threads * launch.instances
        before = [0] * (words + size)
        places = []
        for workgroups in range(1, launch.workgroups + 1):
            memory, flags = _on_opencl(kernel, workgroups, [0] * words, [0] * size)
            places.append(_place(launch, words, [a - b for a, b in zip(memory + flags, before, strict=True)]))
            before = memory + flags
        found.append(places)
    return found


# Both


def _step(threads, case, line):
    locations = threads.locations()
    at_end = line[0] == STOPPED
    return (*case, None if at_end else line[0], tuple(line[1 : 1 + locations]), tuple(line[1 + locations :]))


def _place(launch, words, changed):
    """The place of a workgroup by what it changed; None if that is no instance, and all of it if it is no one place."""
    size = launch.threads * launch.instances
    values = [(*divmod(k, launch.threads), value) for k, value in enumerate(changed[:size]) if value]
    flags = [divmod(k, launch.threads) for k, value in enumerate(changed[words:]) if value]
    if values == [(*place, place[1] + 1) for place in flags] and len(flags) < 2:
        return flags[0] if flags else None
    return values, flags


STEPS = {"cpp": _steps_of_cpp, "opencl": _steps_of_opencl}
PLACES = {"cpp": _places_of_cpp, "opencl": _places_of_opencl}


def steps_of(target, programs, folder, sources=None):
    """The steps of each program, or of the sources that are given for them, as sets."""
    return STEPS[target](programs, sources or [source_of(target, written(threads)) for threads in programs], folder)


def places_of(target, launches, folder, sources):
    """For each (launch, words of memory) and source: the place of each workgroup, or None if it only stresses."""
    return PLACES[target](launches, sources, folder)
