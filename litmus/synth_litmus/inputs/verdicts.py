"""Read words that ask for verdicts: a model (both its forms), one verdict, or a verdict with `=pass` or `=fail`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError, quoted
from synth_checker.models import is_expression, library, model_of, verdict_names, verdicts_meant
from synth_checker.models.model_text import read_word
from synth_checker.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synth_checker.models import Model


def requested_verdicts(
    words: Iterable[str],
    models: tuple[Model, ...] | None = None,
    option: str = "model",
    beside: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """Return the names of the verdicts that the user asks for by words such as `HSA`, `OBE.weak` or `HSA,OBE`.

    The name of a model means both its forms. The result has the order of `models`, whatever the order of the words.
    `option` names the option in error messages. `beside` names further models that messages may suggest.

    Raises:
        InputError: a word is neither a model nor a verdict.
    """
    models = library() if models is None else models
    names = verdict_names(models)
    chosen: set[str] = set()
    for word in (canonical_name(word.strip()) for text in words for word in text.split(",")):
        verdicts = verdicts_meant(word, names)
        chosen.update(verdicts)
        if not verdicts:
            known = tuple(dict.fromkeys((*_names(models), *names, *beside)))
            raise unknown(option, word, known, f"a model or verdict out of {', '.join(known)}")
    return tuple(name for name in names if name in chosen)


def canonical_name(word: str) -> str:
    """Return a model or verdict under the name that tables and corpora use for it.

    For an expression without a name, that is its text in a normalized form.
    """
    name = model_of(word)
    return read_word(name).name + word.removeprefix(name) if is_expression(name) else word


def kept_verdicts(words: Iterable[str], models: tuple[Model, ...] | None = None) -> dict[str, bool]:
    """Read words such as `OBE.strong=pass,HSA=fail`, which say what verdicts a program must keep when it is shrunk.

    The result maps the name of each of these verdicts to True for a pass and False for a failure.

    Raises:
        InputError: a word is no verdict or model with `=pass` or `=fail`, or two words contradict each other.
    """
    results: dict[str, bool] = {}
    for word in (word.strip() for text in words for word in text.split(",")):
        name, _, verdict = word.partition("=")
        if verdict not in {"pass", "fail"}:
            raise InputError(
                f"keep: found {quoted(word)}, expected a verdict with =pass or =fail, such as OBE.strong=pass"
            )
        for each in requested_verdicts([name], models, "keep"):
            if results.setdefault(each, verdict == "pass") != (verdict == "pass"):
                raise InputError(f"keep: {each}=pass and {each}=fail contradict each other; give only one of the two")
    return {name: results[name] for name in verdict_names(library() if models is None else models) if name in results}


def _names(models: tuple[Model, ...]) -> list[str]:
    return [model.name for model in models if model.name not in model.verdicts]
