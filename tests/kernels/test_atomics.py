"""Atomic operations: what they leave in memory, how they are written, and which one each function of OpenCL C is."""

import ctypes

import pytest

from synth_checker.errors import InputError
from synth_kernels.atomics import OPERATIONS, updated_value
from synth_kernels.kernel_file import SourceOptions, read
from synth_kernels.printer import kernel_text
from synth_kernels.program import Access, Arbitrary, Compute
from synth_kernels.text import parse

#: What is there before, the operands, and what is there after: for numbers of 8 bits.
CASES = {
    "load": [(7, (), None)],
    "store": [(7, (9,), 9)],
    "exchange": [(7, (9,), 9)],
    "add": [(250, (10,), 4)],
    "sub": [(3, (5,), 254)],
    "and": [(12, (10,), 8)],
    "nand": [(12, (10,), 247)],
    "or": [(12, (10,), 14)],
    "xor": [(12, (10,), 6)],
    "umin": [(255, (1,), 1)],
    "umax": [(255, (1,), 255)],
    "min": [(255, (1,), 255)],  # 255 is -1
    "max": [(255, (1,), 1)],
    "inc": [(3, (4,), 4), (4, (4,), 0), (9, (4,), 0)],
    "dec": [(3, (4,), 2), (0, (4,), 4), (9, (4,), 4)],
    "compare-exchange": [(7, (7, 1), 1), (7, (8, 1), None)],
}
#: The same for floats of 32 bits.
OF_FLOATS = {
    "fadd": (1.5, 2.25, 3.75),
    "fsub": (1.5, 2.25, -0.75),
    "fmin": (1.5, -2.0, -2.0),
    "fmax": (1.5, -2.0, 1.5),
}


def bits_of(value):
    return ctypes.c_uint32.from_buffer(ctypes.c_float(value)).value


def test_an_operation_leaves_what_its_name_says():
    assert CASES.keys() | OF_FLOATS.keys() == OPERATIONS.keys()
    for operation, values in OF_FLOATS.items():
        old, operand, expected = map(bits_of, values)
        assert updated_value(operation, old, (operand,), 32) == expected, operation
    for operation, cases in CASES.items():
        for old, operands, expected in cases:
            assert updated_value(operation, old, operands, 8) == expected, operation


def test_the_text_of_all_operations_is_read_as_it_is_printed():
    lines = [
        f"x{n} = atomic i8 A[n] {name} {', '.join(['n8'] * count)}"
        for n, (name, count) in enumerate(OPERATIONS.items())
    ]
    lines += ["y = atomic i8 A[n]", "z = volatile read i8 A[n]", "volatile write i8 A[n] = y", "w = any i8 usually z"]
    text = "kernel k\nglobal A: i8\nscalar n: i32\nscalar n8: i8\nentry:\n" + "".join(
        f"  {line.strip()}\n" for line in lines
    )
    assert kernel_text(parse(text + "  return\n")) == text + "  return\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x = atomic i32 A[n] ad n", "operation.*did you mean"),
        ("x = atomic i32 A[n] add", "operands of add"),
        ("x = atomic i32 A[n] load n", "operands of load"),
        ("x = atomic i32 A[n] add 1:i8", "a value of 32"),
        ("x = any i1 usually n", "a value of 1"),
    ],
)
def test_wrong_atomic_accesses_are_refused(line, message):
    with pytest.raises(InputError, match=message):
        parse(f"kernel k\nglobal A: i32\nscalar n: i32\nentry:\n  {line}\n  return\n")


FUNCTIONS = {
    "atomic_add(a, 3)": ("add", [3]),
    "atomic_sub(a, 3)": ("sub", [3]),
    "atomic_inc(a)": ("add", [1]),
    "atomic_dec(u)": ("sub", [1]),
    "atomic_min(a, -1)": ("min", [ctypes.c_uint32(-1).value]),
    "atomic_min(u, 1u)": ("umin", [1]),
    "atomic_max(u, 1u)": ("umax", [1]),
    "atomic_xor(a, 6)": ("xor", [6]),
    "atomic_xchg(f, 1.0f)": ("exchange", [0x3F800000]),
    "atomic_cmpxchg(a, 1, 2)": ("compare-exchange", [1, 2]),
    "atomic_load_explicit(c, memory_order_acquire, memory_scope_device)": ("load", []),
    "atomic_store(c, 4)": ("store", [4]),
    "atomic_fetch_or_explicit(c, 4, memory_order_relaxed)": ("or", [4]),
    "atomic_fetch_min(c, 4)": ("min", [4]),
    "atomic_exchange(c, 4)": ("exchange", [4]),
    "atomic_flag_test_and_set(g)": ("exchange", [1]),
    "atomic_flag_clear(g)": ("store", [0]),
}


@pytest.mark.full
def test_each_function_of_opencl_is_its_operation(tmp_path):
    parameters = "volatile __global int *a, volatile __global uint *u, volatile __global float *f, "
    parameters += "__global atomic_int *c, __global atomic_flag *g"
    kernels = [f"__kernel void k{number}({parameters}) {{ {call}; }}" for number, call in enumerate(FUNCTIONS)]
    for kernel, (call, expected) in zip(_read(tmp_path, "\n".join(kernels)), FUNCTIONS.items(), strict=True):
        (access,) = _atomics(kernel)
        assert (access.operation, [operand.value for operand in access.operands]) == expected, call


@pytest.mark.full
@pytest.mark.parametrize("strength", ["strong", "weak"])
def test_a_compare_exchange_succeeds_if_it_found_what_it_expected_and_a_weak_one_may_fail(tmp_path, strength):
    call = f"atomic_compare_exchange_{strength}(c, &e, 7)"
    (kernel,) = _read(tmp_path, f"__kernel void k(__global atomic_int *c) {{ int e = 3; while (!{call}) e = 3; }}")
    (access,) = _atomics(kernel)
    assert access.operation == "compare-exchange"
    instructions = [instruction for block in kernel.blocks for instruction in block.instructions]
    expected, _ = access.operands
    assert any(
        isinstance(instruction, Compute) and instruction.operands == (access.name, expected)
        for instruction in instructions
    )
    assert any(isinstance(instruction, Arbitrary) and instruction.usual for instruction in instructions) == (
        strength == "weak"
    )


def _read(folder, source):
    path = folder / "k.cl"
    path.write_text(source)
    return read(path, SourceOptions(standard="CL2.0"))


def _atomics(kernel):
    instructions = [instruction for block in kernel.blocks for instruction in block.instructions]
    return [
        instruction for instruction in instructions if isinstance(instruction, Access) and instruction.kind == "atomic"
    ]
