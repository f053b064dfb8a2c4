"""`synth`: complete synthesis of progress litmus tests.

    >>> import synth
    >>> found = synth.enumerate_tests(synth.question("2x2"))
    >>> len(found.ids), found.complete
    (8, True)
    >>> mutex = '''
    ... THREAD 0
    ... 0: if (Exch(Mem[0],1) == 1) goto 0;
    ... 1: Mem[0] = 0;
    ...
    ... THREAD 1
    ... 0: if (Exch(Mem[0],1) == 1) goto 0;
    ... 1: Mem[0] = 0;
    ... '''
    >>> check = synth.check(mutex)
    >>> check.id, check.is_test, check.verdicts["OBE.weak"], check.verdicts["HSA.weak"]
    ('01100002-01100002', True, 'pass', 'fail')

What the commands do is here as functions with typed results. Names are loaded when they are first used, so that
importing `synth` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synth.api import check, check_all, explain, save
    from synth.enumeration.enumerating import count_tests, enumerate_tests
    from synth.enumeration.runs import Count, Enumeration
    from synth.exchange.emitting import emit
    from synth.explaining import Explanation
    from synth.inputs.asking import question
    from synth.judging.checking import Check
    from synth_backends.litmus_test import LitmusTest
    from synth_checker.errors import InputError, InternalError, LimitError, ResourceError, UserError
    from synth_checker.program import Instruction, Program, Thread
    from synth_checker.question import Question
    from synth_checker.text import read_program, read_programs, write_program
    from synth_corpus.manifest import Manifest
    from synth_corpus.record import Record
    from synth_corpus.store import Corpus

_HOMES = {
    "Check": "synth.judging.checking",
    "Corpus": "synth_corpus.store",
    "Count": "synth.enumeration.runs",
    "Enumeration": "synth.enumeration.runs",
    "Explanation": "synth.explaining",
    "InputError": "synth_checker.errors",
    "Instruction": "synth_checker.program",
    "InternalError": "synth_checker.errors",
    "LimitError": "synth_checker.errors",
    "LitmusTest": "synth_backends.litmus_test",
    "Manifest": "synth_corpus.manifest",
    "Program": "synth_checker.program",
    "Question": "synth_checker.question",
    "Record": "synth_corpus.record",
    "ResourceError": "synth_checker.errors",
    "Thread": "synth_checker.program",
    "UserError": "synth_checker.errors",
    "check": "synth.api",
    "check_all": "synth.api",
    "count_tests": "synth.enumeration.enumerating",
    "emit": "synth.exchange.emitting",
    "enumerate_tests": "synth.enumeration.enumerating",
    "explain": "synth.api",
    "question": "synth.inputs.asking",
    "read_program": "synth_checker.text",
    "read_programs": "synth_checker.text",
    "save": "synth.api",
    "write_program": "synth_checker.text",
}

__all__ = [
    "Check",
    "Corpus",
    "Count",
    "Enumeration",
    "Explanation",
    "InputError",
    "Instruction",
    "InternalError",
    "LimitError",
    "LitmusTest",
    "Manifest",
    "Program",
    "Question",
    "Record",
    "ResourceError",
    "Thread",
    "UserError",
    "check",
    "check_all",
    "count_tests",
    "emit",
    "enumerate_tests",
    "explain",
    "question",
    "read_program",
    "read_programs",
    "save",
    "write_program",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  (whatever lives there)
    if name == "__version__":
        from importlib.metadata import version

        return version("progress-synth")
    if name not in _HOMES:
        msg = f"module 'synth' has no attribute {name!r}"
        raise AttributeError(msg)
    found = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", *(name for name in globals() if name.startswith("__"))})
