"""What there is to say about one program: its normal form, the rules it breaks, its verdicts.

Rules and verdicts are those of the program given, no-ops and all: a model may see a no-op, which is a step. The normal
form has none, so that under some models its verdicts are others (definitions, section 9), and the rules speak of other
instructions. Both are decided, and what differs is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker._native import MAX_STATES
from synth_checker.certificates import product
from synth_checker.errors import InputError, InternalError, excerpt
from synth_checker.models import Model, library, verdict_named, verdict_names
from synth_checker.normal import normal_form, with_no_ops, written_out
from synth_checker.rules import broken_rules, rule_names
from synth_checker.state_bounds import at_most, check_states
from synth_checker.verdicts import judge
from synth_corpus.record import signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from synth_checker.certificates.certificate import Certificate
    from synth_checker.program import Program, State
    from synth_corpus.record import Verdict


@dataclass(frozen=True, slots=True, repr=False)
class NormalForm:
    """The rules that a program's normal form breaks, and its verdicts."""

    breaks: tuple[str, ...]
    verdicts: Mapping[str, Verdict]

    def __repr__(self) -> str:
        passes = list(self.verdicts.values()).count("pass")
        return f"<NormalForm: breaks {len(self.breaks)} rules, passes {passes} of {len(self.verdicts)} verdicts>"


@dataclass(frozen=True, slots=True, repr=False)
class Check:
    """The rules that a program breaks (none: it is a test) and the verdicts asked for, both as it was given.

    `program` is its normal form, with the id `id`. `judged` is the program with its no-ops, locations and values being
    named by first use; without no-ops the two are the same. `normal_form` says what is decided of the normal form.
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
        """Whether the program satisfies all rules."""
        return not self.breaks

    @property
    def has_no_ops(self) -> bool:
        """Whether the program has no-ops, which its normal form leaves out."""
        return self.judged != self.program

    @property
    def seen_no_ops(self) -> tuple[str, ...]:
        """The verdicts, by name, that the normal form has otherwise: the model sees no-ops."""
        return tuple(name for name, verdict in self.verdicts.items() if verdict != self.normal_form.verdicts[name])

    def differences(self) -> list[str]:
        """Sentences that say what is otherwise in the normal form: rules, and verdicts."""
        rules = self.normal_form.breaks
        told = []
        if rules != self.breaks:
            told.append(f"Its normal form breaks {', '.join(rules)}." if rules else "Its normal form is a test.")
        if self.seen_no_ops:
            others = ", ".join(f"{name} {self.normal_form.verdicts[name]}" for name in self.seen_no_ops)
            told.append(f"Its normal form, which has no no-ops, has other verdicts: {others}.")
        return told


def check_programs(
    programs: Sequence[Program],
    verdicts: Sequence[str] | None = None,
    models: tuple[Model, ...] | None = None,
    *,
    to_certify: bool = False,
    tell: Callable[[str], None] | None = None,
) -> list[Check]:
    """Check programs, tests or not, and decide the given verdicts, or all, of some models or of the library.

    Those `to_certify` may have as many states as certificates can have. `tell` is told before the work if a program may
    turn out to have too many states.

    Raises:
        LimitError: more than 32 threads, or more states than can be explored; or a model can't be asked about so many.
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
    judged = [
        with_no_ops(program) if form.size < program.size else form
        for program, form in zip(programs, forms, strict=True)
    ]
    for threads in {len(program) for program in judged}:  # said before any long work
        for model in models:
            model.beside(threads)
    for program in programs:
        check_states(program, product.MAX_STATES if to_certify else MAX_STATES)
    warning = None if tell is None else _warning(programs)
    if tell is not None and warning is not None:
        tell(warning)
    # Rules speak of what stores compare with and of where no-ops look, which the program as given alone says.
    broken = _by_id(broken_rules, [*programs, *forms])
    passes = _by_id(lambda ids: judge(ids, models), [*judged, *forms])

    def decided(form: Program) -> dict[str, Verdict]:
        known = signature(passes[written_out(form)], names)
        return {name: known[name] for name in asked}

    def breaks(form: Program) -> tuple[str, ...]:
        return rule_names(broken[written_out(form)])

    return [
        Check(
            program=form,
            id=written_out(form),
            judged=with_them,
            breaks=breaks(given),
            verdicts=decided(with_them),
            normal_form=NormalForm(breaks(form), decided(form)),
        )
        for given, with_them, form in zip(programs, judged, forms, strict=True)
    ]


def _warning(programs: Iterable[Program]) -> str | None:
    """What to say before any work if one of some programs may turn out to have too many states."""
    large = next((one for one in programs if at_most(one) > MAX_STATES), None)
    if large is None:
        return None
    return (
        f"{excerpt(written_out(large))} may reach more than {MAX_STATES} states, which are too many to check; "
        "that is known only when so many have been explored"
    )


def _by_id(decide: Callable[[list[str]], list[int]], programs: Sequence[Program]) -> dict[str, int]:
    """What is decided of each program, by the program written out; of equal ones once."""
    ids = list(dict.fromkeys(map(written_out, programs)))
    return dict(zip(ids, decide(ids), strict=True))


def certify_verdict(check: Check, verdict: str, models: tuple[Model, ...] | None = None) -> Certificate[State]:
    """The certificate of one verdict of a program, which a checker that shares no code with the core has accepted.

    The verdict is one of some models, or of the library.

    Raises:
        LimitError: the program has too many states to be certified.
        InternalError: it is refused, or proves another verdict than the core has decided.
    """
    from synth_checker.certificates import certify, verdict_of

    model, form = verdict_named(verdict, models)
    certificate = certify(check.judged, model.beside(len(check.judged)), form)
    if verdict_of(certificate) != check.verdicts[verdict]:
        msg = f"{check.id} under {verdict}: found {check.verdicts[verdict]}, but the certificate proves the other"
        raise InternalError(msg)
    return certificate
