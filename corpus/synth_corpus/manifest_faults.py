"""Find what is wrong in a manifest: entries that contradict each other, the records, or the models of this release.

A wrong entry is called a *fault*. Each entry is either checked, or the function `unconfirmed_entries` names it, with
the reason why the records cannot confirm it. Most such entries are about tests that are not among the records: tests
that may be missing, and tests that the question does not keep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.models import LIBRARY, library, models_named, verdict_names
from synth_checker.programs.rules import RULES
from synth_corpus.kept_tests import counted_keys, models_in
from synth_storage import strict_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from synth_checker.models import Model
    from synth_corpus.manifest import Manifest
    from synth_corpus.tally import Tally

_MISSING = "the records do not tell whether tests are missing; synth certify can prove that none is"
_SOME_MISSING = (
    "the records do not tell whether tests are missing; no certificate is of a question that keeps only some"
)
_NOT_KEPT = "the corpus does not have the tests that were found but not kept, which these numbers count"
_OF_MODELS = (
    "the manifest and this release of synth define the model differently; the verdicts were checked under the "
    "definition in the manifest"
)


def unconfirmed_entries(manifest: Manifest) -> dict[str, str]:
    """Return the entries of a manifest that its records cannot confirm, each with the reason.

    An entry is a key such as `question.locations`.
    """
    question = manifest.question
    missing = _MISSING if question.keeps_all else _SOME_MISSING
    values = dict.fromkeys(("complete", "question.locations", "question.values"), missing)
    # The same tests may answer two questions, for instance if all of them are minimal, or no two count as the same.
    if not manifest.complete:
        values["question.minimal"] = missing
    if question.minimal or not manifest.complete:
        values["question.up_to"] = missing
    here = {model.name: model.definition for model in library()}
    values |= {f"models.{name}": _OF_MODELS for name, text in manifest.models.items() if text != here.get(name, text)}
    names = (name for name in counted_keys(question) if not _is_decided(name, manifest))
    return (
        values
        | {f"found.{name}": _NOT_KEPT for name in names}
        | {"run": "the records do not tell how the corpus was made"}
    )


def faults_of_text(manifest: Manifest, text: str) -> Iterator[str]:
    """Yield a message for each unknown key in the text of a manifest, and for each value in an unusual spelling."""
    fields, expected = strict_json.loads(text), dict(manifest.fields())
    for key in fields.keys() - expected.keys():
        yield f"{key}: this key is unknown; the keys of a manifest are {', '.join(expected)}"
    for key, value in expected.items():
        was, written = strict_json.dumps(fields[key]), strict_json.dumps(value)  # as texts: 1 is neither 1.0 nor true
        if was != written:
            yield f"{key}: found {was}, expected {written}"


def models_of(manifest: Manifest) -> tuple[Model, ...]:
    """Return the models under which verdicts are checked: those that a manifest defines, or else those that it names.

    Raises:
        InputError: a registered model is not installed, or its tables have changed. This is not a fault of the corpus.
    """
    try:
        models = models_in(manifest)
    except InputError:
        models = models_named(manifest.question.models)
    for model in models:
        model.automaton(1)
    return models


def faults_of_models(manifest: Manifest, models: tuple[Model, ...]) -> Iterator[str]:
    """Yield a message for each fault in the models, rules and verdicts of a manifest.

    `models` is the result of `models_of`.
    """
    rules = tuple(rule for rule in RULES if rule not in manifest.question.without)
    if manifest.rules != rules:
        yield f"rules: found {', '.join(manifest.rules)}, expected {', '.join(rules)}, as under the key question"
    chosen = models_named(manifest.question.models)
    if list(manifest.models) != [model.name for model in chosen]:
        names = ", ".join(model.name for model in chosen)
        yield f"models: found {', '.join(manifest.models) or 'none'}, expected {names}, as under the key question"
    try:
        models_in(manifest)
    except InputError as error:
        yield f"models: {error}"
    for model in chosen:
        # A model of the library may have another definition in another release. The question defines all other models.
        text = manifest.models.get(model.name, model.definition)
        if model.name not in LIBRARY and text != model.definition:
            yield f"models: found {text!r} for {model.name}, expected {model.definition!r}, as under the key question"
    if manifest.verdicts != verdict_names(models):
        expected = ", ".join(verdict_names(models))
        yield f"verdicts: found {', '.join(manifest.verdicts)}, expected {expected}, as its models say"


def faults_of_counts(manifest: Manifest, tally: Tally, orders: int) -> Iterator[str]:
    """Yield a message for each count in a manifest that does not agree with the records.

    `orders` is the number of programs that the tests become when their threads change their order in any way.
    """
    yield from _faults_of_found(manifest, orders)
    for key, counts, expected in (
        ("splits", manifest.splits, tally.splits(manifest.question)),
        ("signatures", manifest.signatures, tally.signatures()),
    ):
        for name in sorted({*counts, *expected}):
            if counts.get(name, 0) != expected.get(name, 0):
                counts_differ = f"found {counts.get(name, 0)} for {name}, expected {expected.get(name, 0)}"
                yield f"{key}: {counts_differ}, the number of records"
            elif (name in counts) != (name in expected):
                yield f"{key}: found {'no ' * (name not in counts)}{name}, expected {', '.join(expected)}"
        if counts.keys() == expected.keys() and list(counts) != list(expected):
            yield f"{key}: the entries are in another order, expected {', '.join(expected)}"


def _faults_of_found(manifest: Manifest, orders: int) -> Iterator[str]:
    """Yield the values under `found` in a manifest that cannot be right."""
    counts, names = manifest.found, counted_keys(manifest.question)
    if not names:
        if counts:
            yield f"found: found {', '.join(counts)}, expected no entries, because the corpus keeps all tests"
        return
    if list(counts) != [name for name in names if name in counts]:
        yield f"found: found the entries {', '.join(counts)}, expected only {', '.join(names)}, in this order"
    if counts or manifest.complete:
        # Jobs do not count behaviours, and nothing counts what several incomplete runs have found together.
        missing = (name for name in names if name not in counts and name != "behaviours")
        yield from (f"the number of {name} is missing under the key found" for name in missing)
    least = _least(manifest)
    decided = orders if "threads" in manifest.question.up_to else manifest.tests
    for name in (name for name in names if name in counts):
        if not _is_decided(name, manifest):
            if counts[name] < least[name]:
                yield f"the count '{name}' under 'found': found {counts[name]}, expected at least {least[name]}"
        elif counts[name] != decided:
            yield f"the count '{name}' under 'found': found {counts[name]}, expected {decided}, which the records give"


def _least(manifest: Manifest) -> dict[str, int]:
    """Return the least value that each count under `found` can have."""
    counts, tests, signatures = manifest.found, manifest.tests, len(manifest.signatures)
    different = tests if "behaviour" in manifest.question.up_to else 0
    return {
        "tests": max(tests, *counts.values(), 0),
        "behaviours": max(different, counts.get("signatures", signatures)),  # equivalent programs have one signature
        "minimal": tests,
        "signatures": signatures,
    }


def _is_decided(name: str, manifest: Manifest) -> bool:
    """Return whether the records decide a count under `found`: only other orders of threads were left out."""
    question = manifest.question
    if name == "minimal":
        return not question.up_to or (question.up_to == ("threads",) and manifest.complete)
    return name == "tests" and not question.minimal and question.up_to == ("threads",) and manifest.complete
