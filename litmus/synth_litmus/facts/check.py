"""Decide about one program: its normal form, the rules that it breaks, and its verdicts.

Rules and verdicts are those of the program as the user gave it, with its no-ops. A no-op is a step, and some models
notice it. The normal form has no no-ops. So under some models the normal form has other verdicts (definitions, section
9). It may also break other rules, because it has other instructions. This module decides the rules and verdicts of both
programs, and reports the differences.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003  (for the JSON Schema)
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker._native import MAX_STATES
from synth_checker.certificates import product
from synth_checker.errors import InputError, InternalError, excerpt
from synth_checker.models import Model, library, verdict_named, verdict_names
from synth_checker.notebook import NotebookObject
from synth_checker.programs.normal import normal_form, with_no_ops, written_out
from synth_checker.programs.rules import broken_rules, rule_names
from synth_checker.transitions.state_bounds import at_most, check_states
from synth_checker.verdicts import judge
from synth_corpus.record import Verdict, signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from synth_checker.certificates.certificate import Certificate
    from synth_checker.programs.program import Program, State


@dataclass(frozen=True, slots=True, repr=False)
class NormalForm:
    """The rules that the normal form of a program breaks, and the verdicts of the normal form."""

    breaks: tuple[str, ...]
    verdicts: Mapping[str, Verdict]

    def __repr__(self) -> str:
        passes = list(self.verdicts.values()).count("pass")
        return f"<NormalForm: breaks {len(self.breaks)} rules, passes {passes} of {len(self.verdicts)} verdicts>"


@dataclass(frozen=True, slots=True, repr=False)
class Check(NotebookObject):
    """The rules that a program breaks, and its verdicts, both for the program as it was given.

    A program that breaks no rule is a test. `program` is its normal form, with the id `id`. `judged` is the program
    with its no-ops, and with locations and values named by first use. Without no-ops, `judged` and `program` are the
    same. `normal_form` has the rules and verdicts of the normal form.
    """

    program: Program
    id: str
    judged: Program
    breaks: tuple[str, ...]
    verdicts: Mapping[str, Verdict]
    normal_form: NormalForm

    def __repr__(self) -> str:
        kind = "a test" if self.is_test else f"no test (breaks {', '.join(self.breaks)})"
        passes = list(self.verdicts.values()).count("pass")
        return f"<Check of {self.id}: {kind}, passes {passes} of {len(self.verdicts)} verdicts>"

    @property
    def is_test(self) -> bool:
        """Whether the program is a test, which means that it breaks no rule."""
        return not self.breaks

    @property
    def has_no_ops(self) -> bool:
        """Whether the program has no-ops, which its normal form leaves out."""
        return self.judged != self.program

    @property
    def seen_no_ops(self) -> tuple[str, ...]:
        """The names of the verdicts that differ between the program and its normal form: models may notice no-ops."""
        return tuple(name for name, verdict in self.verdicts.items() if verdict != self.normal_form.verdicts[name])

    def differences(self) -> list[str]:
        """Return sentences that say which rules and verdicts differ between the program and its normal form."""
        rules = self.normal_form.breaks
        sentences = []
        if rules != self.breaks:
            sentences.append(f"Its normal form breaks {', '.join(rules)}." if rules else "Its normal form is a test.")
        if self.seen_no_ops:
            others = ", ".join(f"{name} {self.normal_form.verdicts[name]}" for name in self.seen_no_ops)
            sentences.append(f"Its normal form, which has no no-ops, has these verdicts instead: {others}.")
        return sentences


def check_programs(
    programs: Sequence[Program],
    verdicts: Sequence[str] | None = None,
    models: tuple[Model, ...] | None = None,
    *,
    to_certify: bool = False,
    tell: Callable[[str], None] | None = None,
) -> list[Check]:
    """Decide for each program which rules it breaks, and which of the given verdicts it passes.

    With `verdicts=None`, all verdicts of the models are decided, and with `models=None`, the models of the library.
    With `to_certify`, a program may have at most as many states as a certificate can have. If a program may turn out to
    have too many states, `tell` is called with a message before the work begins.

    Raises:
        LimitError: a program has more than 32 threads or too many states, or a model can't decide for so many threads.
        InputError: a program has only no-ops, so that its normal form is empty.
    """
    models = library() if models is None else models
    names = verdict_names(models)
    chosen = names if verdicts is None else tuple(verdicts)
    forms = [normal_form(program) for program in programs]
    for form in forms:
        if not form.threads:
            raise InputError("program: found only no-ops, expected an instruction that does something")
    judged = [
        with_no_ops(program) if form.size < program.size else form
        for program, form in zip(programs, forms, strict=True)
    ]
    for threads in {len(program) for program in judged}:  # an error comes before any long work
        for model in models:
            model.beside(threads)
    for program in programs:
        check_states(program, product.MAX_STATES if to_certify else MAX_STATES)
    warning = None if tell is None else _warning(programs)
    if tell is not None and warning is not None:
        tell(warning)
    # Rules look at the comparisons of stores and the locations of no-ops. Only the program as given still has these.
    broken = _by_id(broken_rules, [*programs, *forms])
    passes = _by_id(lambda ids: judge(ids, models), [*judged, *forms])

    def decided(form: Program) -> dict[str, Verdict]:
        known = signature(passes[written_out(form)], names)
        return {name: known[name] for name in chosen}

    def breaks(form: Program) -> tuple[str, ...]:
        return rule_names(broken[written_out(form)])

    return [
        Check(
            program=form,
            id=written_out(form),
            judged=with_them,
            breaks=breaks(original),
            verdicts=decided(with_them),
            normal_form=NormalForm(breaks(form), decided(form)),
        )
        for original, with_them, form in zip(programs, judged, forms, strict=True)
    ]


def _warning(programs: Iterable[Program]) -> str | None:
    """Return a message if one of the programs may turn out to have too many states, or None."""
    large = next((program for program in programs if at_most(program) > MAX_STATES), None)
    if large is None:
        return None
    return (
        f"{excerpt(written_out(large))} may reach more than {MAX_STATES} states, which would be too many to check; "
        "synth learns that only when it has explored so many"
    )


def _by_id(decide: Callable[[list[str]], list[int]], programs: Sequence[Program]) -> dict[str, int]:
    """Apply a decision to each program, once for equal programs; return the results by the written-out program."""
    ids = list(dict.fromkeys(map(written_out, programs)))
    return dict(zip(ids, decide(ids), strict=True))


def certify_verdict(check: Check, verdict: str, models: tuple[Model, ...] | None = None) -> Certificate[State]:
    """Return the certificate of one verdict of a program, after an independent checker has accepted it.

    The checker shares no code with the core. `verdict` is the name of a verdict of one of `models`, or, if `models` is
    None, of one of the library's models.

    Raises:
        LimitError: the program has too many states for a certificate.
        InternalError: the checker refuses the certificate, or it proves the opposite verdict.
    """
    from synth_checker.certificates import certify, verdict_of

    model, form = verdict_named(verdict, models)
    certificate = certify(check.judged, model.beside(len(check.judged)), form)
    if verdict_of(certificate) != check.verdicts[verdict]:
        raise InternalError(
            f"{check.id}: the core says {check.verdicts[verdict]} for {verdict}, "
            "but the certificate that Python code made proves the opposite; one of the two is wrong"
        )
    return certificate
