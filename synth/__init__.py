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

The functions of this package do what the commands do, and return typed results. `__init__.pyi` lists their names. Type
checkers read that list, and so does this module: it imports a function only when a program first uses its name, so
that `import synth` is quick.
"""

from __future__ import annotations

import importlib
from pathlib import Path

from synth_checker.notebook import show_with

show_with("synth.notebook")
_LINES = Path(__file__).with_suffix(".pyi").read_text("utf-8").splitlines()
#: The module of each name, from the lines `from MODULE import NAME as NAME`.
_HOMES = {words[3]: words[1] for words in map(str.split, _LINES) if words[:1] == ["from"]}
__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("progress-synth")
    if name not in _HOMES:
        raise AttributeError(f"module 'synth' has no attribute {name!r}")
    home = _HOMES[name]
    module = importlib.import_module(f"synth.{name}" if home == "synth" else home)
    value = module if home == "synth" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, "__version__", *(name for name in globals() if name.startswith("__"))})
