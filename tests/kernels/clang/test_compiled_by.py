"""`--compiled-by`: what the flags of a compiler mean for a source, in a command line or in a file of command lines."""

import json
import shlex
from pathlib import Path

import pytest

from quick import mostly_full
from synth_checker.errors import InputError
from synth_kernels.command_lines import Flags, flags_in, flags_of

HERE = Path("there")


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ("nvcc", {}),
        ("nvcc -DN=4 -D M -O3 k.cu", {"defines": ("N=4", "M")}),
        ("nvcc --define-macro N=4 --define-macro=M=2", {"defines": ("N=4", "M=2")}),
        ("nvcc -DN=4 -DN=5 -DM -U M", {"defines": ("N=5",)}),
        ("nvcc -DN=4 -UN -DN=6 --undefine-macro=M", {"defines": ("N=6",)}),
        ("nvcc -Iinc -I sys --include-path=more -isystem=abc", {"includes": ("inc", "sys", "more", "abc")}),
        ("clang -isystem /usr/x -iquote q -idirafter last", {"includes": ("/usr/x", "q", "last")}),
        ("nvcc -std=c++14", {"standard": "c++14"}),
        ("nvcc --std c++20", {"standard": "c++20"}),
        ("hipcc -std=c++17 --offload-arch=gfx90a", {"standard": "c++17"}),
        ("clang -x cl -cl-std=CL2.0 -cl-fast-relaxed-math", {"standard": "CL2.0"}),
        ("clang -m32", {"pointer_bits": 32}),
        ("nvcc -m 64", {"pointer_bits": 64}),
        ("nvcc --machine=64", {"pointer_bits": 64}),
        # The value of a flag that does not matter is no flag, and a value that is unknown changes nothing.
        ("nvcc -o -DN=1 -Xcompiler -DM=2 -MF -I -arch=sm_90", {"defines": ("__CUDA_ARCH__=900",)}),
        ("nvcc -gencode arch=compute_75,code=sm_75", {"defines": ("__CUDA_ARCH__=750",)}),
        ("clang -m16 --frobnicate=-DN -mavx2", {}),
        ("nvcc '-DN=\"a b\"' -DM='(1 + 2)'", {"defines": ('N="a b"', "M=(1 + 2)")}),
    ],
)
def test_flags_of_compilers_become_options_of_synth(line, flags):
    folders = tuple(str(HERE / folder) for folder in flags.get("includes", ()))
    read_flags = flags_of(line, Path("k.cu"))
    assert read_flags == Flags(**flags)
    assert flags_in(shlex.split(line), HERE) == Flags(**{**flags, "includes": folders})


@pytest.mark.parametrize("flag", ["-include pre.h", "--pre-include=pre.h", "-optf flags", "-imacros m.h"])
def test_a_flag_that_changes_the_source_is_refused(flag):
    with pytest.raises(InputError, match=r"command line: found -.*, which synth does not follow"):
        flags_of(f"nvcc -DN=4 {flag}", Path("k.cu"))


def test_a_command_line_with_an_open_quotation_is_refused():
    with pytest.raises(InputError, match="expected a command line: no closing quotation"):
        flags_of("nvcc '-DN", Path("k.cu"))


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project with a source, headers and a folder for its build, which has the file of command lines."""
    monkeypatch.chdir(tmp_path)
    for folder in ("src", "build", "inc"):
        (tmp_path / folder).mkdir()
    (tmp_path / "inc" / "far.h").write_text("#define FAR 1\n")
    (tmp_path / "src" / "k.cl").write_text(
        "#include <far.h>\n__kernel void k(__global int *a) { a[get_global_id(0) * N * FAR] = get_global_id(0); }\n"
    )

    def write(*entries):
        (tmp_path / "build" / "compile_commands.json").write_text(json.dumps(entries), "utf-8")

    return write


ANOTHER = {"directory": ".", "file": "../src/other.cl", "command": "clang -DN=0"}
ENTRIES = {
    "a command": {"directory": ".", "file": "../src/k.cl", "command": "clang -DN={} -I../inc -c ../src/k.cl"},
    "arguments": {"directory": ".", "file": "../src/k.cl", "arguments": ["clang", "-D", "N={}", "-I", "../inc"]},
    "another folder": {"directory": "../src", "file": "k.cl", "arguments": ["clang", "-DN={}", "-isystem", "../inc"]},
    "no folder": {"file": "../src/k.cl", "command": "clang -DN={} -I../inc"},
}


@pytest.mark.full
@pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)
def test_a_file_of_command_lines_has_that_of_the_source(synth, project, entry):
    for number, verdict in ((0, "race"), (1, "verified")):
        project(ANOTHER, json.loads(json.dumps(entry).replace("{}", str(number))))
        words = ("--local-size", "2", "--num-groups", "1", "--compiled-by", "build", "--json")
        answer = json.loads(synth("verify", Path("src") / "k.cl", *words).out)
        assert answer["verdict"] == verdict
        assert f"N={number} defined" in answer["rests_on"]
    needed = synth("kernel", "need", Path("src") / "k.cl", "--arg", "a=0:4", "--compiled-by", "build", "--json")
    assert (needed.code, "N=1 defined" in json.loads(needed.out)["rests_on"]) == (0, True)


def test_a_file_without_the_source_is_refused(synth, project):
    project(ANOTHER)
    for words in (("verify",), ("kernel", "need")):
        said = synth(*words, "src/k.cl", "--compiled-by", "build/compile_commands.json")
        assert (said.code, said.err) == (
            2,
            "synth: build/compile_commands.json: found no command line for src/k.cl, expected one\n",
        )


@pytest.mark.usefixtures("project")
@mostly_full("text", ["[", "{}", '"text"', "[1]", '[{"file": 3}]'], quick=2)
def test_a_file_that_has_no_command_lines_is_refused(synth, text):
    Path("build/compile_commands.json").write_text(text)
    said = synth("verify", "src/k.cl", "--compiled-by", "build")
    assert (said.code, said.err.count("\n")) == (2, 1)
    assert "build/compile_commands.json: " in said.err


#: A source, a command line, and what the answer rests on with it. Without it, or with one that defines no N, none is
#: read.
LINES = {
    "nvcc": ("cu", "nvcc -std=c++14 -DN=1 -arch=sm_90 -o k.o", {"N=1 defined", "64-bit pointers"}),
    "hipcc": ("hip", "hipcc --offload-arch=gfx90a --std=c++20 -D N=1", {"N=1 defined", "64-bit pointers"}),
    "clang": ("cl", "clang -cl-std=CL2.0 -m32 -DM -DN=1 -UM", {"N=1 defined", "32-bit pointers"}),
}
SOURCES = {
    "cu": "static_assert(__cplusplus == 201402L);\n__global__ void k(int *a) { a[N * blockIdx.x] = 1; }",
    "hip": "static_assert(__cplusplus == 202002L);\n__global__ void k(int *a) { a[N * blockIdx.x] = 1; }",
    "cl": "#if __OPENCL_C_VERSION__ != 200 || defined(M)\n#error wrong\n#endif\n"
    "__kernel void k(__global int *a) { a[N * get_group_id(0)] = sizeof(size_t); }",
}


@pytest.mark.full
@pytest.mark.parametrize(("ending", "line", "items"), LINES.values(), ids=LINES)
def test_a_command_line_is_taken_for_the_source(synth, kernels, ending, line, items):
    path = kernels(SOURCES[ending], name=f"k.{ending}")
    verified = synth("verify", path, "--local-size", "1", "--num-groups", "2", "--compiled-by", line, "--json")
    answer = json.loads(verified.out)
    assert answer["verdict"] == "verified"
    assert items <= set(answer["rests_on"])
    needed = synth("kernel", "need", path, "--arg", "a=0:4", "--compiled-by", line, "--json")
    assert items <= set(json.loads(needed.out)["rests_on"])
    for words in (("verify",), ("kernel", "need", "--arg", "a=0:4")):
        assert (
            "use of undeclared identifier 'N'" in synth(*words, path, "--compiled-by", line.replace("N=1", "O=1")).err
        )
        refused = synth(*words, path, "--compiled-by", f"{line} -include pre.h")
        assert (refused.code, refused.err.split(";")[0]) == (
            2,
            "synth: command line: found -include pre.h, which synth does not follow",
        )


@pytest.mark.full
def test_an_option_of_the_user_comes_before_the_command_line(synth, kernels):
    path = kernels(SOURCES["cl"], name="k.cl")
    words = ("--local-size", "1", "--num-groups", "2", "--compiled-by", "clang -DN=0 -cl-std=CL2.0 -m32", "--json")
    answer = json.loads(synth("verify", path, *words, "-D", "N=1", "--pointer-bits", "64").out)
    assert (answer["verdict"], "64-bit pointers" in answer["rests_on"]) == ("verified", True)
