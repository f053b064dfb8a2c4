"""Which progress models a machine guarantees: by a search of all states of small settings, and by proof.

A refutation is a fair run that neglects a thread. Its *witness* is a litmus test that shows the same: it passes the
weak form of the model, and some fair run of the machine does not end it. We show the smallest one among the tests that
ship.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from synth_checker import _native
from synth_checker.errors import InputError, quoted
from synth_checker.models import verdict_names
from synth_checker.programs.id_layout import thread_count
from synth_checker.programs.normal import program_of_id
from synth_checker.programs.text import write_instruction
from synth_checker.twin import semantics
from synth_checker.verdicts import judge
from synth_litmus.inputs.named_tests import ids_in
from synth_machines.answers.files import read_limited
from synth_machines.answers.guarantee_proofs import GuaranteeProof, Prover
from synth_machines.guarantees.fairness import read_fairness
from synth_machines.guarantees.graph import explore
from synth_machines.guarantees.litmus import LitmusScheduler
from synth_machines.guarantees.scheduler_parts import WITH_READING, read_reading, shipped_reading
from synth_machines.guarantees.state_search import Histories

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from synth_checker.models import Model
    from synth_checker.programs.program import Program
    from synth_machines.answers.proof_attempts import ProofOptions
    from synth_machines.checked_components import CheckedMachine
    from synth_machines.guarantees.fairness import Fairness
    from synth_machines.guarantees.graph import SchedulerGraph
    from synth_machines.guarantees.recurrence import SchedulerLasso
    from synth_machines.guarantees.scheduler_parts import Reading

#: The corpora in which witnesses are searched, by the number of threads: smaller tests first.
_TESTS = {
    2: ("@complete/2x2", "@complete/2x3", "@complete/2x4"),
    3: ("@complete/3x3", "@complete/3x4"),
    4: ("@minimal/4x4",),
}


#: A comma outside braces and parentheses.
_COMMA = re.compile(r",(?![^{(]*[})])")


class FairRun(NamedTuple):
    """A run: the events of `stem` once, and then those of `cycle` again and again. An empty cycle rests without end."""

    stem: list[str]
    cycle: list[str]


class GuaranteeWitness(NamedTuple):
    """A test that passes the weak form of a model, and a fair run of the machine on which it does not end.

    After the event of a step, the run has the instruction that the thread executes.
    """

    test: str
    run: FairRun


class SettingAnswer(NamedTuple):
    """What a setting shows of a model. `thread` is the one that `run` neglects; both are null if there is no such run.

    `witness` is null if none of the tests that ship is one.
    """

    setting: dict[str, str]
    states: int
    guaranteed: bool
    thread: int | None = None
    run: FairRun | None = None
    witness: GuaranteeWitness | None = None


class SettingTests(NamedTuple):
    """What became of tests on a setting.

    `ended` is the number of tests that end in every fair run. `passing` is the number of tests that pass the weak form
    of each model. `endless` are those among them that do not end, and `beyond` is the number of tests that end and fail
    the weak form.
    """

    setting: dict[str, str]
    tests: int
    ended: int
    passing: dict[str, int]
    endless: dict[str, list[str]]
    beyond: dict[str, int]


class ModelGuarantee(NamedTuple):
    """A model, and what each setting shows of it.

    `guaranteed` says that no setting refutes it. `proof` is null unless a proof for every setting was asked for. A
    model that a setting refutes has none.
    """

    model: str
    guaranteed: bool
    settings: list[SettingAnswer]
    proof: GuaranteeProof | None


class Guarantees(NamedTuple):
    """What `synth machine guarantees --json` prints.

    `left_out` are guards that read the time, as EVENT/GUARD. A fair run passes enough time for them.
    """

    machine: str
    fairness: str
    left_out: list[str]
    models: list[ModelGuarantee]
    tests: list[SettingTests]


def reading_for(source: Path, reading: Path | None) -> Reading:
    """Return how a machine is read as a scheduler: as a file says, or as machines that ship, by default `@gpu`.

    Raises:
        InputError: the file can't be read, or is no reading.
    """
    named = str(source if reading is None else reading)
    if named in WITH_READING:
        return shipped_reading(named)
    if reading is None:
        return shipped_reading("@gpu")
    try:
        return read_reading(read_limited(reading, expected="the reading of a scheduler").decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{reading}: found a byte that is no UTF-8, expected the reading of a scheduler") from None
    except InputError as error:
        raise type(error)(f"{reading}: {error}") from None


def read_setting(word: str) -> dict[str, str]:
    """Return what a word such as `SM=2, nb_kernel_threads=3` gives; commas in braces belong to a value.

    Raises:
        InputError: the word has another form.
    """
    texts: dict[str, str] = {}
    for part in _COMMA.split(word):
        name, sign, value = (text.strip() for text in part.partition("="))
        if not sign or not name or not value or name in texts:
            raise InputError(f"--setting: found {quoted(word)}, expected NAME=VALUE,NAME=VALUE with each name once")
        texts[name] = value
    return texts


class GuaranteeQuestion:
    """Asks a machine, in some settings, which models it guarantees.

    `proving` is how to prove, and with how many solvers. None proves nothing.

    Raises:
        InputError: the fairness, the reading or a setting is not valid for the machine.
        LimitError: a setting has too many states.
    """

    def __init__(
        self,
        machine: CheckedMachine,
        reading: Reading,
        fairness: str | None,
        settings: Sequence[Mapping[str, str]],
        proving: tuple[ProofOptions, int] | None = None,
    ) -> None:
        reading.check(machine)
        self.machine = machine
        self.reading = reading
        self.events = [event.label for event in machine.events if not event.is_initialisation]
        self.fairness = read_fairness(fairness or reading.fairness, self.events)
        self._settings = [_SettingStates(machine, reading, self.fairness, setting) for setting in settings]
        self._prover = None if proving is None else Prover(machine, reading, self.fairness, *proving)

    def answer(self, models: Sequence[Model], tests: Sequence[str] = (), *, with_witness: bool = True) -> Guarantees:
        """Return what each setting shows of some models, and which tests end there. Tests are ids.

        Raises:
            LimitError: the automaton of a model would be too large.
            InputError: the Python object that is registered as a model can't be used.
        """
        return Guarantees(
            self.machine.name,
            self.fairness.text(self.events),
            sorted({label for setting in self._settings for label in setting.graph.left_out}),
            [self._of_model(model, with_witness=with_witness) for model in models],
            [setting.run(tests, tuple(models)) for setting in self._settings] if tests else [],
        )

    def _of_model(self, model: Model, *, with_witness: bool) -> ModelGuarantee:
        answers = [setting.answer(model, with_witness=with_witness) for setting in self._settings]
        holds = all(answer.guaranteed for answer in answers)
        proof = self._prover.proof(model) if self._prover and holds else None
        return ModelGuarantee(model.name, holds, answers, proof)


class _SettingStates:
    """The states of a machine in a setting."""

    def __init__(
        self, machine: CheckedMachine, reading: Reading, fairness: Fairness, setting: Mapping[str, str]
    ) -> None:
        self.setting = dict(setting)
        self.graph = explore(machine, reading, setting)
        self._histories = Histories(self.graph, reading, fairness)
        self._scheduler = LitmusScheduler(self.graph, reading, fairness)

    def answer(self, model: Model, *, with_witness: bool) -> SettingAnswer:
        neglecting = self._histories.neglect(model)
        guaranteed = SettingAnswer(self.setting, len(self.graph.states), neglecting is None)
        if neglecting is None:
            return guaranteed
        return guaranteed._replace(
            thread=neglecting.thread,
            run=run_in_words(self.graph, neglecting.run),
            witness=witness(self.graph, self._scheduler, model) if with_witness else None,
        )

    def run(self, tests: Sequence[str], models: tuple[Model, ...]) -> SettingTests:
        ids = [id_ for id_ in tests if thread_count(id_) == self.graph.threads]
        names = verdict_names(models)
        ended = [self._scheduler.ends(_native.Lts.of_program(id_).table()) for id_ in ids]
        passing: dict[str, int] = {}
        endless: dict[str, list[str]] = {}
        beyond: dict[str, int] = {}
        verdicts = judge(ids, models)
        for model in models:
            bit = 1 << names.index(model.verdicts[0])
            passes = [bool(mask & bit) for mask in verdicts]
            passing[model.name] = sum(passes)
            both = list(zip(ids, passes, ended, strict=True))
            endless[model.name] = [id_ for id_, has_passed, has_ended in both if has_passed and not has_ended]
            beyond[model.name] = sum(has_ended and not has_passed for _, has_passed, has_ended in both)
        return SettingTests(self.setting, len(ids), sum(ended), passing, endless, beyond)


def run_in_words(graph: SchedulerGraph, run: SchedulerLasso, program: Program | None = None) -> FairRun:
    """Return a run in words, with the instructions of a program if one runs."""
    state = None if program is None else semantics.start(program)

    def texts(edges: Iterable[tuple[int, int]]) -> Iterator[str]:
        nonlocal state
        for label, _ in edges:
            thread = graph.steps[label]
            text = graph.instances[label].text
            if program is not None and state is not None and thread >= 0:
                text += f": {write_instruction(program[thread], state.pcs[thread])}"
                state = semantics.step(program, state, thread)
            yield text

    stem = [graph.first[run.start], *texts(run.stem)]  # the first nodes are the starts, in their order
    return FairRun(stem, list(texts(run.cycle)))


def witness(graph: SchedulerGraph, scheduler: LitmusScheduler, model: Model) -> GuaranteeWitness | None:
    """Return the smallest test among those that ship which passes the weak form of a model and does not end."""
    passes = 1 << verdict_names((model,)).index(model.verdicts[0])
    for corpus in _TESTS.get(graph.threads, ()):
        ids = ids_in(corpus)
        for id_, verdicts in zip(ids, judge(ids, (model,)), strict=True):
            if verdicts & passes:
                table = _native.Lts.of_program(id_).table()
                if not scheduler.ends(table):
                    run = scheduler.endless(table)
                    assert run is not None  # noqa: S101  (it does not end)
                    return GuaranteeWitness(id_, run_in_words(graph, run, program_of_id(id_)))
    return None
