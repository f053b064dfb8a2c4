"""JUnit XML, which CI systems and conformance tools read: suites of test cases, and what came of each case."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias
from xml.sax.saxutils import quoteattr

from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

#: What came of a case; a case that passed has the empty text.
CaseResult: TypeAlias = Literal["", "failure", "error", "skipped"]


class JUnitCase(NamedTuple):
    """A test case, what came of it, and why."""

    group: str
    name: str
    result: CaseResult
    message: str


def junit_lines(suites: Iterable[str], counts: Counter[CaseResult] | None = None) -> Iterator[str]:
    """Yield the lines of a document with the lines of suites. `counts` are those of all suites, if they are known."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield "<testsuites>" if counts is None else f"<testsuites {_numbers(counts)}>"
    yield from suites
    yield "</testsuites>"


def suite_lines(name: str, counts: Counter[CaseResult], cases: Iterable[JUnitCase]) -> Iterator[str]:
    """Yield the lines of a suite. `counts` says how many of its cases had each result."""
    yield f"  <testsuite name={_attribute(name)} {_numbers(counts)}>"
    for case in cases:
        opened = f"    <testcase classname={_attribute(case.group)} name={_attribute(case.name)}"
        why = f"<{case.result} message={_attribute(case.message)}/>" if case.result else ""
        yield f"{opened}>{why}</testcase>" if why else f"{opened}/>"
    yield "  </testsuite>"


def _numbers(counts: Counter[CaseResult]) -> str:
    by_name = {"tests": counts.total(), "failures": counts["failure"], "errors": counts["error"]}
    return " ".join(f'{name}="{number}"' for name, number in {**by_name, "skipped": counts["skipped"]}.items())


def _attribute(text: str) -> str:
    """Return a text in quotes. XML has no form for most characters that control a terminal, so they are escaped."""
    return quoteattr(shown(text))
