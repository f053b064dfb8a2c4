"""No test asserts how long something took: on a busy machine everything takes longer.

A test says instead in which order things happen, or counts what is done, or ends by a time-out what never ends.
"""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
CLOCKS = {
    f"{name}{ending}" for name in ("monotonic", "perf_counter", "process_time", "thread_time") for ending in ("", "_ns")
}


def reads_clock(node, names):
    """Whether an expression is made of what a clock says or of a name for that. What other calls are given is not."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", getattr(node.func, "id", "")) in CLOCKS
    if isinstance(node, ast.Name):
        return node.id in names
    return any(reads_clock(part, names) for part in ast.iter_child_nodes(node))


def asserted(tree):
    """The lines of assertions that compare what a clock has measured in the same function."""
    found = set()
    for scope in ast.walk(tree):
        if isinstance(scope, ast.FunctionDef):
            names = set()
            for node in sorted(ast.walk(scope), key=lambda node: getattr(node, "lineno", 0)):
                if isinstance(node, ast.Assign) and reads_clock(node.value, names):
                    names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            found |= {
                node.lineno
                for node in ast.walk(scope)
                if isinstance(node, ast.Assert) and reads_clock(node.test, names)
            }
    return sorted(found)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("start = time.monotonic()\n assert time.monotonic() - start < 1", [3]),
        ("start = perf_counter()\n taken = perf_counter() - start\n assert taken < 1", [4]),
        ("assert len(read(until=time.monotonic() + 600)) == 1", []),
        ("end = time.monotonic() + 1\n while time.monotonic() < end:\n  assert not other()", []),
    ],
)
def test_what_is_looked_for_is_found(text, lines):
    assert asserted(ast.parse(f"def test():\n {text}")) == lines


@pytest.mark.full
def test_no_test_asserts_how_long_something_took():
    found = {
        path.relative_to(TESTS).as_posix(): lines
        for path in TESTS.rglob("*.py")
        if (lines := asserted(ast.parse(path.read_text("utf-8"))))
    }
    assert found == {}
