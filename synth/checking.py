"""What there is to say about one program: its normal form, the rules it breaks, its verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from synth_checker.errors import InputError, InternalError
from synth_checker.models import Model, library, verdict_named, verdict_names
from synth_checker.normal import keeps_store_checks, normal_form, written_out
from synth_checker.rules import broken_rules, rule_names
from synth_checker.verdicts import judge
from synth_corpus.record import signature

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from synth_checker.certificates.certificate import Certificate
    from synth_checker.program import Program


@dataclass(frozen=True, slots=True)
class Check:
    """A program's normal form with its id, the rules it breaks (none: it is a test) and the verdicts asked for.

    Rules and verdicts are those of the normal form. Only a store's check, which it sets to 0, is looked at as given.
    """

    program: Program
    id: str
    breaks: tuple[str, ...]
    verdicts: Mapping[str, Literal["pass", "fail"]]

    @property
    def is_test(self) -> bool:
        """Whether the program satisfies all rules."""
        return not self.breaks


def check_programs(
    programs: Sequence[Program], verdicts: Sequence[str] | None = None, models: tuple[Model, ...] | None = None
) -> list[Check]:
    """Check programs, tests or not, and decide the given verdicts, or all, of some models or of the library.

    Raises:
        LimitError: more than eight threads, or more states than can be explored.
        InputError: a program consists of no-ops, so that nothing is left in its normal form.
    """
    models = library() if models is None else models
    names = verdict_names(models)
    asked = names if verdicts is None else tuple(verdicts)
    forms = [normal_form(program) for program in programs]
    for form in forms:
        if not form.threads:
            msg = "program: found nothing but no-ops, expected an instruction that does something"
            raise InputError(msg)
    ids = [written_out(form) for form in forms]
    # The normal form has forgotten what its stores compare with, which one rule speaks of.
    as_given = [normal_form(program, keep_store_checks=keeps_store_checks(program)) for program in programs]
    broken = broken_rules([written_out(program) for program in as_given])
    found = []
    for form, id_, rules, passes in zip(forms, ids, broken, judge(ids, models), strict=True):
        known = signature(passes, names)
        found.append(Check(form, id_, rule_names(rules), {name: known[name] for name in asked}))
    return found


def certified(check: Check, verdict: str, models: tuple[Model, ...] | None = None) -> Certificate:
    """The certificate of one verdict of a program, which a checker that shares no code with the core has accepted.

    The verdict is one of some models, or of the library.

    Raises:
        LimitError: the program has too many states to be certified.
        InternalError: it is refused, or proves another verdict than the core has decided.
    """
    from synth_checker.certificates import certify, verdict_of

    model, form = verdict_named(verdict, models)
    certificate = certify(check.program, model.automaton(len(check.program)), form)
    if verdict_of(certificate) != check.verdicts[verdict]:
        msg = f"{check.id} under {verdict}: found {check.verdicts[verdict]}, but the certificate proves the other"
        raise InternalError(msg)
    return certificate


def asked_verdicts(
    words: Iterable[str], models: tuple[Model, ...] | None = None, option: str = "model"
) -> tuple[str, ...]:
    """The verdicts that words such as `HSA` (both forms), `OBE.weak` or `HSA,OBE` ask for, in their fixed order.

    Raises:
        InputError: a word of this option is neither a model nor a verdict.
    """
    models = library() if models is None else models
    names = verdict_names(models)
    asked: set[str] = set()
    for word in (word.strip() for text in words for word in text.split(",")):
        of_model = [model.verdicts for model in models if model.name == word]
        if of_model:
            asked.update(of_model[0])
        elif word in names:
            asked.add(word)
        else:
            msg = f"{option}: found {word!r}, expected a model or verdict out of {', '.join((*_names(models), *names))}"
            raise InputError(msg)
    return tuple(name for name in names if name in asked)


def kept_verdicts(words: Iterable[str], models: tuple[Model, ...] | None = None) -> dict[str, bool]:
    """What words such as `OBE.strong=pass,HSA=fail` say of verdicts: by name, in their fixed order, true for a pass.

    Raises:
        InputError: a word is no verdict or model with `=pass` or `=fail`, or two contradict each other.
    """
    found: dict[str, bool] = {}
    for word in (word.strip() for text in words for word in text.split(",")):
        name, _, verdict = word.partition("=")
        if verdict not in {"pass", "fail"}:
            msg = f"keep: found {word!r}, expected a verdict with =pass or =fail, such as OBE.strong=pass"
            raise InputError(msg)
        for each in asked_verdicts([name], models, "keep"):
            if found.setdefault(each, verdict == "pass") != (verdict == "pass"):
                msg = f"keep: found both {each}=pass and {each}=fail, expected one of the two"
                raise InputError(msg)
    return {name: found[name] for name in verdict_names(library() if models is None else models) if name in found}


def _names(models: tuple[Model, ...]) -> list[str]:
    return [model.name for model in models if model.name not in model.verdicts]
