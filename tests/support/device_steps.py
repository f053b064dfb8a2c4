"""Run emitted code on each target that runs here, one step or one workgroup at a time.

`steps_of` sets the memory of an instance and a location, runs `take_step` once, and returns what changed. `places_of`
runs single workgroups of a whole launch, and returns which thread of which instance each was. `steps.py` says what is
right.
"""

import atexit
import functools
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import shader_steps
from emitted import in_namespaces, opencl_context, source_of, written
from shaders import STUBS
from steps import cases_of, place_of, places_by_counting, step_of, steps_in_a_row
from synth_backends.template_files import read_template

# C++, and Metal as C++: all sources in one translation unit, each in a namespace of its own


class Dialect(NamedTuple):
    """The differences between targets: the type of flags, the call of a compiler, and how to run a workgroup.

    `lanes` runs a workgroup of several threads.
    """

    flag: str
    compiler: list[str]
    run: str
    lanes: str = ""

    def running(self, k, launch):
        """Return the code that runs a workgroup of the source number `k`."""
        return (self.lanes if launch.has_lanes else self.run).format(k=k, width=launch.width)


WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-unused"]
CPP = Dialect(
    "unsigned",
    ["g++", "-std=c++20", "-O0", *WARNINGS, "-pthread"],
    "litmus_flags = flags; test_{k}::run(workgroup, memory);",
)
METAL = Dialect(
    "std::atomic<unsigned>",
    ["g++", "-std=c++17", "-O0", *WARNINGS, "-Wno-attributes", f"-I{STUBS}", "-D__METAL_VERSION__=320"],
    "test_{k}::run(memory, flags, workgroup);",
    "for (unsigned lane = 0; lane < {width}; ++lane) {{ test_{k}::run(memory, flags, workgroup, lane); }}",
)

SERVE = """
// Reads which test to ask for a step, from where; prints where it went and what it left.
template <typename Flag, typename Step>
void serve(Step step, unsigned locations, unsigned threads) {
    unsigned tid, pc;
    std::cin >> tid >> pc;
    std::vector<std::atomic<unsigned>> memory(locations);
    for (auto& word : memory) {
        unsigned value;
        std::cin >> value;
        word = value;
    }
    std::vector<Flag> flags(threads);
    std::cout << step(tid, pc, memory.data(), flags.data());
    for (auto& word : memory) {
        std::cout << ' ' << word;
    }
    for (const unsigned flag : flags) {
        std::cout << ' ' << flag;
    }
    std::cout << '\\n';
}

// Prints for each workgroup alone which words and flags it has changed.
template <typename Flag, typename Run>
void place(Run run, unsigned workgroups, unsigned words, unsigned flags, unsigned launch) {
    for (unsigned workgroup = 0; workgroup < workgroups; ++workgroup) {
        std::vector<std::atomic<unsigned>> memory(words);
        std::vector<Flag> told(flags + 1);
        told[flags] = launch;
        run(workgroup, memory.data(), told.data());
        for (const auto& word : memory) {
            std::cout << word << ' ';
        }
        for (unsigned k = 0; k < flags; ++k) {
            std::cout << told[k] << ' ';
        }
        std::cout << '\\n';
    }
}
"""


#: What all sources in C++ include, and what reads and prints. They take g++ longer than all the rest.
HEADERS = "".join(
    f"#include <{name}>\n" for name in ("atomic", "iostream", "iterator", "system_error", "thread", "vector")
)


@functools.cache
def _precompiled(compiler):
    """Compile the headers once, and return the words with which g++ takes them before a source."""
    folder = Path(tempfile.mkdtemp(prefix="synth-headers-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "headers.h").write_text(HEADERS, "utf-8")
    subprocess.run([*compiler, "-x", "c++-header", "headers.h"], cwd=folder, check=True, timeout=120)
    return ["-Winvalid-pch", "-include", folder / "headers.h"]


def _output_of_cpp(dialect, sources, folder, body, given=""):
    text = f"{in_namespaces(sources)}{SERVE}int main() {{\n{body}}}\n"
    (folder / "harness.cpp").write_text(text, "utf-8")
    (folder / "litmus.h").write_text(read_template("common", "litmus.h"), "utf-8")
    words = [*dialect.compiler, *_precompiled(tuple(dialect.compiler)), "-o", "harness", "harness.cpp"]
    subprocess.run(words, cwd=folder, check=True, timeout=120)
    run = subprocess.run([folder / "harness"], input=given, capture_output=True, text=True, check=True, timeout=60)
    return [[int(word) for word in line.split()] for line in run.stdout.splitlines()]


def _steps_of_cpp(programs, sources, folder, dialect=CPP):
    cases = [(k, case) for k, threads in enumerate(programs) for case in cases_of(threads)]
    serving = "".join(
        f"    case {k}: serve<{dialect.flag}>(test_{k}::take_step, {threads.locations()}, {len(threads)}); break;\n"
        for k, threads in enumerate(programs)
    )
    body = f"    for (unsigned test; std::cin >> test;) switch (test) {{\n{serving}    }}\n"
    given = "".join(f"{k} {tid} {pc} {' '.join(map(str, memory))}\n" for k, (tid, pc, memory) in cases)
    found = [set() for _ in programs]
    for (k, case), line in zip(cases, _output_of_cpp(dialect, sources, folder, body, given), strict=True):
        found[k].add(step_of(programs[k], case, line))
    return found


def _places_of_cpp(launches, sources, folder, number, dialect=CPP):
    body = "".join(
        f"    place<{dialect.flag}>([](unsigned workgroup, auto* memory, auto* flags) {{\n"
        f"        {dialect.running(k, launch)}\n"
        f"    }}, {launch.workgroups}, {words}, {launch.threads * launch.instances}, {number});\n"
        for k, (launch, words) in enumerate(launches)
    )
    lines = iter(_output_of_cpp(dialect, sources, folder, body))
    return [[place_of(launch, words, next(lines)) for _ in range(launch.workgroups)] for launch, words in launches]


# OpenCL: on PoCL, all sources in one program, where each has names of its own, and all cases of one in one launch

EXPLORE = """
kernel void explore(global uint* threads, global uint* pcs, words memory, words flags, global uint* next) {{
    const uint k = get_global_id(0);
    next[k] = take_step(threads[k], pcs[k], memory + k * {locations}u, flags + k * {size}u);
}}
"""
NAMES = ["words", "exchange", "add", "start", "stopped", "run_stress", "take_step", "run", "explore"]


def _opencl_program(sources):
    import pyopencl

    text = ""
    for k, source in enumerate(sources):
        text += "".join(f"#define {name} {name}_{k}\n" for name in NAMES) + source
        text += "".join(f"#undef {name}\n" for name in NAMES)
    return pyopencl.Program(opencl_context(), text).build(["-cl-std=CL3.0", "-Werror"])


def _on_opencl(kernel, size, *arrays, width=1):
    """Run so many workgroups of a kernel over arrays of 32-bit words, and return the arrays after it."""
    import numpy as np
    import pyopencl

    context = opencl_context()
    queue = pyopencl.CommandQueue(context)
    given = [np.array(array, np.uint32) for array in arrays]
    flags = pyopencl.mem_flags.READ_WRITE | pyopencl.mem_flags.COPY_HOST_PTR
    buffers = [pyopencl.Buffer(context, flags, hostbuf=array) for array in given]
    kernel(queue, (size * width,), (width,), *buffers)
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
        cases, size = cases_of(threads), len(threads)
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
        found.append(steps_in_a_row(threads, after, memory, flags))
    return found


def _places_of_opencl(launches, sources, _folder, number_of_launch):
    found = []
    built = _opencl_program(sources)
    for number, (launch, words) in enumerate(launches):
        kernel = getattr(built, f"run_{number}")
        empty = [0] * words, [0] * (launch.threads * launch.instances) + [number_of_launch]

        def ran(workgroups, kernel=kernel, empty=empty, width=launch.width):
            memory, flags = _on_opencl(kernel, workgroups, *empty, width=width)
            return memory + flags[:-1]

        found.append(places_by_counting(launch, words, ran))
    return found


# The memory that the workgroups leave that only stress it


def _memory_of_cpp(launch, words, source, folder, dialect=CPP, order=None):
    run = dialect.running(0, launch)
    numbers = ", ".join(map(str, range(launch.stress) if order is None else order))
    body = (
        f"    std::vector<std::atomic<unsigned>> words({words});\n"
        f"    std::vector<{dialect.flag}> told({launch.threads * launch.instances});\n"
        f"    auto* memory = words.data();\n    auto* flags = told.data();\n"
        f"    for (const unsigned workgroup : {{{numbers}}}) {{ {run} }}\n"
        "    for (const auto& word : words) { std::cout << word << ' '; }\n"
    )
    (memory,) = _output_of_cpp(dialect, [source], folder, body)
    return memory


def _memory_of_opencl(launch, words, source, _folder):
    kernel = _opencl_program([source]).run_0
    empty = [0] * words, [0] * (launch.threads * launch.instances)
    return _on_opencl(kernel, launch.stress, *empty, width=launch.width)[0]


STEPS = {
    "cpp": _steps_of_cpp,
    "metal": functools.partial(_steps_of_cpp, dialect=METAL),
    "opencl": _steps_of_opencl,
    **shader_steps.STEPS,
}
PLACES = {
    "cpp": _places_of_cpp,
    "metal": functools.partial(_places_of_cpp, dialect=METAL),
    "opencl": _places_of_opencl,
    **shader_steps.PLACES,
}


MEMORY = {
    "cpp": _memory_of_cpp,
    "metal": functools.partial(_memory_of_cpp, dialect=METAL),
    "opencl": _memory_of_opencl,
    **shader_steps.MEMORY,
}


def steps_of(target, programs, folder, sources=None):
    """Return the steps of each program, or of the sources given for it, as sets."""
    return STEPS[target](programs, sources or [source_of(target, written(threads)) for threads in programs], folder)


def places_of(target, launches, folder, sources, number=0):
    """Return the place of each workgroup, or None if it only loads memory, for each launch and source.

    `number` is the number of the launch.
    """
    return PLACES[target](launches, sources, folder, number)


def memory_in_order(target, launch, words, folder, source, order):
    """Return the memory after workgroups have run one after the other; only C++ and Metal let us choose the order."""
    return MEMORY[target](launch, words, source, folder, order=order)


def memory_of_stress(target, launch, words, folder, source):
    """Return the memory after the workgroups have run that only stress it."""
    return MEMORY[target](launch, words, source, folder)
