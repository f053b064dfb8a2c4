"""How tests divide among the verdicts: conformance and distinguishing tests (Table 4 and Figure 10 of the paper).

A test is a *conformance test* of each verdict that it passes. It is *distinguishing* for a verdict that it passes if it
fails every strictly less fair verdict. This is the *literal* reading, in which a test counts for several verdicts.

The paper's Table 4 counts each test once. We call this the *published* reading. A test that passes `fair.weak` is a
weak test, and any other is a strong one. It is distinguishing for the first of HSA, OBE, LOBE and fair whose form it
passes, weak or strong as the test is. HSA+OBE is left out. The conformance tests of HSA and OBE are their
distinguishing tests. Those of LOBE are the distinguishing tests of HSA, OBE and LOBE, and those of fair are all.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from synth_checker.models import Form, library, verdict_names
from synth_checker.relations.antichains import less_fair
from synth_documents.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

#: The models that the paper's Table 4 has, in the order in which it gives them their tests.
PUBLISHED = ("HSA", "OBE", "LOBE", "fair")
#: The models whose distinguishing tests are the conformance tests of a model, in the published reading.
_PARTS: Mapping[str, tuple[str, ...]] = {"HSA": ("HSA",), "OBE": ("OBE",), "LOBE": PUBLISHED[:3], "fair": PUBLISHED}
_FORMS: tuple[Form, ...] = ("weak", "strong")


class Numbers(NamedTuple):
    """How many tests are distinguishing for a verdict, and how many are conformance tests of it."""

    distinguishing: int
    conformance: int


def literal_shares(tests: Iterable[AbstractSet[str]]) -> dict[str, Numbers]:
    """Return the numbers of each verdict in the literal reading. A test is given as the set of verdicts it passes."""
    less = less_fair()
    counted = Counter(map(frozenset, tests))
    return {
        name: Numbers(
            sum(number for passed, number in counted.items() if name in passed and not less[name] & passed),
            sum(number for passed, number in counted.items() if name in passed),
        )
        for name in less
    }


def published_shares(tests: Iterable[AbstractSet[str]]) -> dict[str, Numbers]:
    """Return the numbers of each verdict in the published reading. A test that passes no verdict of it does not count.

    A test is given as the set of verdicts it passes.
    """
    counts = Counter(map(_first, tests))
    return {
        f"{model}.{form}": Numbers(counts[f"{model}.{form}"], sum(counts[f"{part}.{form}"] for part in _PARTS[model]))
        for form in _FORMS
        for model in PUBLISHED
    }


def _first(passed: AbstractSet[str]) -> str:
    """Return the verdict for which a test counts in the published reading."""
    names = (f"{model}.{form}" for form in _FORMS for model in PUBLISHED)
    return next((name for name in names if name in passed), "")


def conformance_table(tests: Iterable[AbstractSet[str]], counted: str = "tests") -> Table:
    """Return a table of the distinguishing and the conformance tests of each model, in both readings.

    A test is given as the set of verdicts it passes. `counted` says what each of `tests` is.
    """
    listed = list(tests)
    readings = {"published": published_shares(listed), "literal": literal_shares(listed)}
    models = [*PUBLISHED, *dict.fromkeys(name.partition(".")[0] for name in verdict_names(library()))]
    rows = []
    for model in dict.fromkeys(models):
        names = [model] if model in readings["literal"] else [f"{model}.{form}" for form in _FORMS]
        row: list[str | int | None] = [model]
        for numbers in readings.values():
            for name in names:
                row += numbers.get(name, (None, None))
            row += [None] * (2 * (len(_FORMS) - len(names)))
        rows.append(tuple(row))
    columns = [
        f"{reading}, {form}, {what}" for reading in readings for form in _FORMS for what in ("distinguishing", "all")
    ]
    return Table(
        f"Distinguishing and conformance tests of {len(listed)} {counted}",
        ("model", *columns),
        tuple(rows),
        (
            "The columns called all have the conformance tests.",
            "Published: each test counts once, the weak form before the strong one, HSA before OBE, without HSA+OBE.",
            "Literal: a test counts for each verdict that it passes, and is distinguishing if it fails all less fair.",
        ),
    )


def strong_weak_table(tests: Iterable[AbstractSet[str]], counted: str = "tests") -> Table:
    """Return a table of the weak and strong tests, of all tests and of those that are distinguishing for each model.

    A test is given as the set of verdicts it passes. The reading is the published one. `counted` says what each of
    `tests` is.
    """
    listed = list(tests)
    counts = published_shares(listed)
    rows = []
    for name, of_models in (("all tests", PUBLISHED), *((model, (model,)) for model in PUBLISHED)):
        weak, strong = (sum(counts[f"{model}.{form}"].distinguishing for model in of_models) for form in _FORMS)
        percent = [round(100 * number / len(listed), 1) for number in (weak, strong)] if listed else [None, None]
        rows.append((name, weak, strong, *percent))
    return Table(
        f"Weak and strong tests of {len(listed)} {counted}",
        ("distinguishing for", "weak", "strong", "weak, %", "strong, %"),
        tuple(rows),
        (
            "A weak test passes fair.weak, and a strong test does not.",
            "Each test counts for one model, as in the paper: HSA before OBE, without HSA+OBE.",
        ),
    )
