"""Compare our obligations with those that Rodin wrote into a project, by name and by goal.

Two goals agree if they are equal up to names of bound variables and parentheses. Rodin shortens some goals. So others
may be *equivalent*: a solver proves this for all values, without any hypothesis.

What the provers of Rodin have discharged must not be refuted. If it is, Rodin or `synth` has a defect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence  # noqa: TC003  (for its JSON Schema)
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from synth_checker.errors import InputError
from synth_machines.answers.files import SUFFIXES, files_in, project_folder, read_project
from synth_machines.answers.proof_attempts import ProofOptions, prove
from synth_machines.answers.rodin_results import (
    DifferentHypotheses,
    DifferentType,
    checked_file_beside,
    different_hypotheses,
    different_types,
    hypotheses_in,
    read_built,
)
from synth_machines.components import Context
from synth_machines.formulas.equality import same
from synth_machines.formulas.formula import FormulaOperation
from synth_machines.formulas.inference import Scope
from synth_machines.formulas.parser import read_predicate
from synth_machines.formulas.printer import shown
from synth_machines.obligations import obligations_of
from synth_machines.projects import Project
from synth_machines.rodin.obligation_files import (
    DISCHARGED,
    DONE,
    OBLIGATIONS_SUFFIX,
    STATUSES_SUFFIX,
    read_goals,
    read_statuses,
)
from synth_machines.rodin.old_language import upgraded
from synth_machines.rodin.words import CONTEXT_SUFFIX, MACHINE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from synth_machines.checked_components import CheckedContext, CheckedMachine
    from synth_machines.formulas.formula import Formula
    from synth_machines.obligations.obligation import Obligation
    from synth_machines.rodin.hypotheses import Hypotheses

    _Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class DifferentGoal:
    """Two goals of an obligation that are not literally equal. `problem` says why Rodin's goal can't be read."""

    name: str
    ours: str
    rodin: str
    equivalent: bool = False
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ComponentComparison:
    """A line of `synth machine compare --json`: the obligations of a component, ours and Rodin's.

    `missing` are names that only Rodin has, `superfluous` those that only we have. `equal` counts goals that are
    literally equal. `done` counts what the provers of Rodin had done. `verdicts` counts our verdicts on what they had
    discharged, if somebody asked for them, and `contradicted` has the names of those that we refute. `left_out` says
    what is wrong with parts of the component, of which we state no obligation. `types` are names that have another type
    for Rodin's static checker, which found no fault if it is `accurate`; null if its file is not there. `hypotheses`
    are obligations with other hypotheses, if somebody asked for them. `problem` says why nothing is compared.
    """

    component: str
    problem: str | None = None
    left_out: Sequence[str] = ()
    accurate: bool | None = None
    types: Sequence[DifferentType] = ()
    hypotheses: list[DifferentHypotheses] | None = None
    obligations: int = 0
    missing: Sequence[str] = ()
    superfluous: Sequence[str] = ()
    equal: int = 0
    goals: Sequence[DifferentGoal] = ()
    done: dict[str, int] = field(default_factory=dict)
    verdicts: dict[str, int] = field(default_factory=dict)
    contradicted: Sequence[str] = ()

    @property
    def agrees(self) -> bool:
        """Whether all names, types and goals of the component agree, and we refute nothing that Rodin discharged."""
        differences = (self.missing, self.superfluous, self.contradicted, self.types)
        return self.problem is None and not any(differences) and all(goal.equivalent for goal in self.goals)


@dataclass(frozen=True, slots=True)
class ComparisonOptions:
    """What to compare besides names and goals. `as_rodin` is that of `obligations_of`.

    With `equivalences`, solvers try to prove that goals which are not literally equal are equivalent. With `verdicts`,
    they also prove or refute what Rodin's provers had discharged. `jobs` is the number of solvers at a time.
    """

    as_rodin: bool
    equivalences: ProofOptions | None = None
    verdicts: ProofOptions | None = None
    hypotheses: bool = False
    jobs: int = 1

    def decided(self, ours: dict[str, Obligation], goals: list[DifferentGoal]) -> list[DifferentGoal]:
        """Return pairs of goals, and which are equivalent; `ours` are our obligations by their names."""
        return goals if self.equivalences is None else _decided(ours, goals, self.equivalences, self.jobs)

    def judged(self, discharged: list[Obligation]) -> dict[str, str]:
        """Return verdicts on obligations, by their names."""
        results = () if self.verdicts is None else prove(discharged, self.verdicts, self.jobs)
        return {decided.obligation.name: decided.verdict for decided in results}


def compare(folder: Path, wanted: ComparisonOptions) -> Iterator[ComponentComparison]:
    """Yield the comparison of each component of a project for which Rodin wrote obligations.

    Raises:
        InputError: the folder has no obligations of Rodin.
    """
    folder = project_folder(folder, OBLIGATIONS_SUFFIX)
    files = files_in(folder, OBLIGATIONS_SUFFIX)
    if not files:
        raise InputError(f"{folder}: found no file {OBLIGATIONS_SUFFIX}, expected a project that Rodin has built")
    known = hypotheses_in(folder) if wanted.hypotheses else None
    project = read_project(folder, by_parts=True) if files_in(folder, *SUFFIXES) else Project([])
    for file in files:
        try:
            yield _compared(file, _component(project, file.stem), wanted, known)
        except InputError as error:
            yield ComponentComparison(file.stem, str(error))


def _component(project: Project, name: str) -> CheckedContext | CheckedMachine:
    if name in project.problems:
        raise InputError(project.problems[name])
    if name not in project.components:
        raise InputError(f"found no file {CONTEXT_SUFFIX} or {MACHINE_SUFFIX} of this name")
    is_context = isinstance(project.components[name], Context)
    return project.context(name) if is_context else project.machine(name)


def _compared(
    file: Path, component: CheckedContext | CheckedMachine, wanted: ComparisonOptions, hypotheses: Hypotheses | None
) -> ComponentComparison:
    checked = checked_file_beside(file)
    theirs = _read_by(read_goals, file)
    of_statuses = file.with_suffix(STATUSES_SUFFIX)
    statuses = _read_by(read_statuses, of_statuses) if of_statuses.exists() else {}
    ours = {obligation.name: obligation for obligation in obligations_of(component, as_rodin=wanted.as_rodin)}
    each = {name: statuses[name].of(goal) if name in statuses else "open" for name, goal in theirs.items()}
    done = Counter(each.values())
    verdicts = wanted.judged([our for name, our in ours.items() if each.get(name) in DISCHARGED])
    common = {name: our for name, our in ours.items() if name in theirs}
    different = [
        difference
        for name, goal in theirs.items()
        if name in ours and (difference := _goal(ours[name], goal.text)) is not None
    ]
    return ComponentComparison(
        component.name,
        left_out=component.left_out,
        accurate=None if checked is None else checked.is_accurate,
        types=() if checked is None else different_types(checked, component.types),
        hypotheses=None if hypotheses is None else list(different_hypotheses(hypotheses, file, common)),
        obligations=len(theirs),
        missing=[their for their in theirs if their not in ours],
        superfluous=[our for our in ours if our not in theirs],
        equal=sum(their in ours for their in theirs) - len(different),
        goals=wanted.decided(ours, different),
        done={word: done[word] for word in DONE if done[word]},
        verdicts=dict(Counter(verdicts.values())),
        contradicted=[name for name, verdict in verdicts.items() if verdict == "refuted"],
    )


def _read_by(read: Callable[[bytes], _Read], file: Path) -> _Read:
    data = read_built(file)
    try:
        return read(data)
    except InputError as error:
        raise type(error)(f"{file}: {error}") from None


def _goal(obligation: Obligation, text: str) -> DifferentGoal | None:
    """Return two goals if they are not literally equal."""
    problem = None
    try:
        read = read_predicate(text)
        if same(obligation.goal, read) or same(obligation.goal, upgraded(read)):
            return None
    except InputError as error:
        problem = str(error)
    return DifferentGoal(obligation.name, shown(obligation.goal), text, problem=problem)


def _decided(
    ours: dict[str, Obligation], goals: list[DifferentGoal], options: ProofOptions, jobs: int
) -> list[DifferentGoal]:
    """Return pairs of goals, and whether a solver proves that they are equivalent."""
    equivalences: dict[str, Obligation] = {}
    problems: dict[str, str] = {}
    for goal in goals:
        obligation = ours[goal.name]
        try:
            both = FormulaOperation("⇔", (obligation.goal, _typed(obligation, goal.rodin)))
        except InputError as error:
            problems[obligation.name] = str(error)
        else:
            equivalences[obligation.name] = replace(obligation, hypotheses=(), goal=both)
    results = prove(equivalences.values(), options, jobs)
    proved = {decided.obligation.name for decided in results if decided.verdict == "proved"}
    return [replace(goal, equivalent=goal.name in proved, problem=problems.get(goal.name)) for goal in goals]


def _typed(obligation: Obligation, text: str) -> Formula:
    scope = Scope(obligation.types)
    return scope.typed(scope.predicate(read_predicate(text)))
