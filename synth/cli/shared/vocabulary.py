"""The words that options and arguments take, by kind, for help texts and for the completion of shells.

A kind is a name such as `rules`. In the help of a parameter, `{rules}` stands for the words of that kind, and
`completer("rules")` completes them. Nothing is imported before a user asks for help or completion.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from synth_checker.programs.rules import DROPPABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def _rules() -> Iterable[str]:
    return DROPPABLE


def _models() -> Iterable[str]:
    from synth_checker.models import LIBRARY, names_beside_library

    return (*LIBRARY, *names_beside_library())


def _verdicts() -> Iterable[str]:
    from synth_checker.models import library, verdict_names

    return verdict_names(library())


def _kept_verdicts() -> Iterable[str]:
    return (f"{name}={result}" for name in (*_models(), *_verdicts()) for result in ("pass", "fail"))


def _sameness() -> Iterable[str]:
    from synth_checker.question import UP_TO

    return UP_TO


def _engines() -> Iterable[str]:
    from synth_search.engines.choice import AUTO, ENGINES

    return (AUTO, *ENGINES)


def _finding_engines() -> Iterable[str]:
    from synth_search.engines.choice import DIRECTED

    return (*_engines(), DIRECTED)


def _solvers() -> Iterable[str]:
    from synth_search.engines.choice import SOLVERS

    return SOLVERS


def _idioms() -> Iterable[str]:
    from synth_checker.idioms import idioms

    return idioms()


def _goals() -> Iterable[str]:
    from synth_search.suites.answer import KINDS

    return KINDS


def _targets() -> Iterable[str]:
    from synth_backends.target import TARGETS

    return sorted(TARGETS)


def _devices() -> Iterable[str]:
    from synth_devices.catalogue import KINDS
    from synth_devices.remote_devices import ELSEWHERE

    return [kind for kind in KINDS if kind not in ELSEWHERE]


def _schedulers() -> Iterable[str]:
    from synth_devices.sim.presets import IMPLIED

    return IMPLIED


def _mappings() -> Iterable[str]:
    from synth_backends.mapping import KINDS

    return (f"{name}:{kind.parameter}" if kind.parameter else name for name, kind in KINDS.items())


def _formats() -> Iterable[str]:
    from synth_corpus.formats import FORMATS

    return FORMATS


def _formats_read() -> Iterable[str]:
    from synth_corpus.formats import FORMATS

    return (name for name, form in FORMATS.items() if form.read is not None)


def _corpora() -> Iterable[str]:
    """Return the corpora that ship, and those in the current folder."""
    from synth_corpus.shipped import NAMES
    from synth_corpus.store import MANIFEST

    return (*NAMES, *(file.parent.name for file in sorted(Path().glob(f"*/{MANIFEST}"))))


def _machines() -> Iterable[str]:
    from synth_machines.shipped import SHIPPED

    return SHIPPED


def _tables() -> Iterable[str]:
    from synth_analysis.tables.kinds import KINDS

    return KINDS


def _executors() -> Iterable[str]:
    from synth_jobs.executors import EXECUTORS

    return EXECUTORS


def _clusters() -> Iterable[str]:
    from synth_jobs.executors.dask_clusters import CLUSTERS

    return CLUSTERS


KINDS: dict[str, Callable[[], Iterable[str]]] = {
    "rules": _rules,
    "models": _models,
    "verdicts": _verdicts,
    "kept verdicts": _kept_verdicts,
    "sameness": _sameness,
    "engines": _engines,
    "finding engines": _finding_engines,
    "solvers": _solvers,
    "machines": _machines,
    "idioms": _idioms,
    "goals": _goals,
    "targets": _targets,
    "mappings": _mappings,
    "schedulers": _schedulers,
    "devices": _devices,
    "formats": _formats,
    "formats read": _formats_read,
    "corpora": _corpora,
    "tables": _tables,
    "executors": _executors,
    "clusters": _clusters,
}


def completer(*kinds: str) -> Callable[[str], list[str]]:
    """Return a function that completes a word of some kinds, also after a comma."""

    def complete(incomplete: str) -> list[str]:
        before, comma, begun = incomplete.rpartition(",")
        # Of a word with a number at its end, such as hybrid:K and resident-K, the part before the number is completed.
        words = (word.partition(":")[0].removesuffix("K") for kind in kinds for word in KINDS[kind]())
        return [before + comma + word for word in words if word.startswith(begun)]

    return complete


def one_of(*words: str) -> Callable[[str], list[str]]:
    """Return a function that completes one of a few words that only one command takes."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return complete


def fill_in_kinds(text: str) -> str:
    """Return the help text of a parameter, with the words of each kind in place of its name in braces."""
    return re.sub(r"\{([a-z ]+)\}", lambda kind: ", ".join(KINDS[kind[1]]()), text)
