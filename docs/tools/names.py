"""Check the names in the Python code, for `make lint`.

    names.py

- A loop variable says what it holds: none is called `one`, and no parameter of a lambda is.
- The name of a class is unique among all packages. Classes of tests and scripts do not count.
- A module or folder is named after what it defines, so its name does not end in -ing, unless `NOUNS` says why.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from typing import TYPE_CHECKING

from texts import PACKAGES, ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

#: Names that end in -ing and are nouns of the field.
NOUNS = {
    "mapping": "which workgroup runs which thread",
    "ranking": "the proof that a transition system ends",
    "nothing_pending": "what the rule guesses: that no access is pending",
}
SCRIPTS = ("tests", "bench", "docs", "release")


def files(folders: Iterable[str]) -> Iterator[Path]:
    """Yield the Python files below some folders, in order."""
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


def loop_variables(tree: ast.AST) -> Iterator[ast.Name | ast.arg]:
    """Yield the variables of loops and comprehensions, and the parameters of lambdas."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            yield from (name for name in ast.walk(node.target) if isinstance(name, ast.Name))
        elif isinstance(node, ast.Lambda):
            yield from node.args.args


def of_variables(place: Path, tree: ast.AST) -> Iterator[str]:
    """Yield a line for each loop variable that says nothing."""
    for variable in loop_variables(tree):
        if getattr(variable, "id", getattr(variable, "arg", "")) == "one":
            yield f"{place}:{variable.lineno}: a loop variable is called 'one'; name it after what it holds"


def of_modules(place: Path) -> Iterator[str]:
    """Yield a line for a module or its folder if it is not named after a thing."""
    for name in (place.stem, place.parent.name):
        if name.endswith("ing") and name not in NOUNS:
            yield f"{place}: '{name}' ends in -ing; name it after what it defines, or give the reason in NOUNS"


def findings() -> Iterator[str]:
    """Yield a line for each name that breaks a rule."""
    classes = defaultdict(list)
    for path in files((*PACKAGES, *SCRIPTS)):
        place, tree = path.relative_to(ROOT), ast.parse(path.read_text("utf-8"))
        yield from of_variables(place, tree)
        if place.parts[0] not in SCRIPTS:
            yield from of_modules(place)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    classes[node.name].append(f"{place}:{node.lineno}")
    for name, places in classes.items():
        if len(places) > 1:
            yield f"{places[-1]}: a class of the name {name} is also in {', '.join(places[:-1])}; rename one"


if __name__ == "__main__":
    lines = list(findings())
    print(*lines, sep="\n", end="\n" * bool(lines))
    sys.exit(bool(lines))
