"""Test that no object of the native module outlives the interpreter; nanobind reports such objects at the end."""

import subprocess
import sys

# Every call, what it gives, and what it throws; the judges of the package stay in its cache until the end.
CALLS = """
import sys, threading
from synth_checker import _native
from synth_checker.errors import InputError, LimitError
from synth_checker.models import library
from synth_checker.models.compiled import compile_model
from synth_checker.verdicts import judge

MUTEX, PEER = "01100002-01100002", "01100002-00_0"
automata = [compile_model(model, 2) for model in library()]
forms = [(True, True)] * len(automata)

def refused(error, call, *args):
    try:
        call(*args)
    except error:
        return
    raise AssertionError(args)

assert _native.normalise([PEER, ""], True) == [PEER, ""]
assert _native.common_threads((MUTEX, PEER)) == 2
assert _native.broken_rules([MUTEX]) == [0]
assert _native.count_states("0110") == 2
assert _native.reachable_states("0110", 1, 2) == ([0, 3], [])
judges = [_native.Judge(2, automata, forms) for _ in range(3)]
assert len(judges[0].verdicts([MUTEX, PEER])) == len(judge([MUTEX, PEER])) == 2
threads = [threading.Thread(target=judges[1].verdicts, args=([MUTEX] * 1000,)) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]

collector = _native.IdCollector()
collector.add(f"{MUTEX}\\n{PEER}\\n".encode())
refused(InputError, collector.add, b"0")
ids = collector.sorted()
collector.add_set(ids)
assert (len(ids), len(collector), ids.id(0), ids.place(MUTEX)) == (2, 2, PEER, 1)
assert ids.lines(0, 2) == f"{PEER}\\n{MUTEX}\\n".encode()
assert (ids.splits(), ids.first_broken(0, 2, 127)) == ({(2, 1): 1, (2, 2): 1}, (2, 0))
assert ids.least_of_orbits(0, 2, False).count(b"\\n") == 1
signatures = _native.Signatures(2)
signatures.append(ids.verdicts(judges, 0, 2))
assert sum(signatures.counts()) == len(signatures) == 2
assert [signatures.mask(k) for k in range(2)] == judges[0].verdicts([PEER, MUTEX])
pieces = ("before_id", "before_threads", "after_fields", "between_instructions", "between_threads", "after_threads",
          "no_exchange")
writer = _native.LineWriter(before_field=["l", "c", "e", "t"], **{piece: "" for piece in pieces})
assert writer.line("00_0", "!") == "00_0l0c0et0!"
assert writer.lines(ids, signatures, ["a", "b"], 0, 2).startswith(PEER.encode())
assert _native.rising_lines(b"a\\nb\\n", b"") == (2, True)
for call in (ids.id, signatures.mask):
    refused(IndexError, call, 2)
refused(IndexError, ids.lines, 1, 3)
refused(IndexError, writer.lines, ids, signatures, [], 0, 2)
refused(InputError, ids.verdicts, [], 0, 2)
refused(TypeError, ids.verdicts, [None], 0, 2)
refused(TypeError, _native.LineWriter)
core = _native.Minimality(0, [[compile_model(model, 1) for model in library()], automata], forms)
assert core.minimal(["00_0-0011"], judge(["00_0-0011"])) == [True] and core.known() > 0 < core.bytes()
refused(InputError, core.minimal, ["00_0-00_0-0011"], [0])
refused(InputError, core.minimal, ["00_0-0011"], [])
refused(TypeError, core.minimal, [7], [0])
assert len(_native.relaxations([MUTEX], False)[0]) == 9
assert len(_native.behaviours([MUTEX, ""])) == 2
for call, args in ((_native.relaxations, (False,)), (_native.behaviours, ())):
    refused(InputError, call, [PEER, "0"], *args)
    refused(TypeError, call, [PEER, 7], *args)

ask = [lambda ids: _native.normalise(ids, False), _native.common_threads, _native.broken_rules, judges[2].verdicts]
for call in ask:
    for wrong in (7, None, [7], [None], [PEER, b"0110"]):
        refused(TypeError, call, wrong)
    refused(ZeroDivisionError, call, (1 // 0 for _ in "1"))
    refused(InputError, call, [PEER, "\\ud800"])
for call in (*ask[:1], *ask[2:]):
    refused(InputError, call, [PEER, "0"])
    refused(LimitError, call, ["0110" * 36])
refused(InputError, judges[2].verdicts, ["0110"])
refused(LimitError, _native.broken_rules, ["-".join(["0110"] * 33)])
refused(LimitError, _native.Judge, 2, automata * 6, forms * 6)
refused(InputError, _native.Judge, 3, automata, forms)
refused(InputError, _native.Judge, 2, automata, forms[:1])
refused(InputError, _native.Automaton, 1, [[0]], [[1]], [[0, 1]])
refused(TypeError, _native.Automaton, 1, [7], [[0]], [[0, 1]])
for wrong in ((), (2,), ("2", automata, forms), (2, 7, forms), (2, [7], forms), (2, automata, [True])):
    refused(TypeError, _native.Judge, *wrong)
for call, args in ((_native.count_states, ()), (_native.reachable_states, (1, 2))):
    refused(InputError, call, "0", *args)
    refused(InputError, call, "\\ud800", *args)
    refused(TypeError, call, 7, *args)
refused(InputError, _native.reachable_states, "0110", 1, 1)
refused(LimitError, _native.reachable_states, "0110", 36, 36)
"""
# What each of these does is not undone.
FORGOTTEN = {
    "a judge is held": "import ctypes; ctypes.pythonapi.Py_IncRef(ctypes.py_object(judges[0]))",
    "a method is held": "import ctypes; ctypes.pythonapi.Py_IncRef(ctypes.py_object(judges[0].verdicts))",
}


def run(text):
    return subprocess.run([sys.executable, "-P", "-W", "error", "-c", text], capture_output=True, text=True)


def test_no_call_leaks_whether_it_answers_or_throws():
    found = run(CALLS)
    assert (found.returncode, found.stderr) == (0, "")


def test_the_judges_of_the_package_are_freed_even_where_its_modules_are_not():
    held = "import ctypes, synth_checker.verdicts as m; ctypes.pythonapi.Py_IncRef(ctypes.py_object(m.judge_for))"
    found = run(CALLS + held)
    assert (found.returncode, found.stderr) == (0, "")


def test_a_planted_leak_is_noticed():
    for forgotten in FORGOTTEN.values():
        found = run(CALLS + forgotten)
        assert found.returncode == 0
        assert "nanobind: leaked 1 instances" in found.stderr
        assert "synth_checker._native.Judge" in found.stderr
