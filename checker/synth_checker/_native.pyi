"""The C++ core of synth_checker."""

from collections.abc import Callable, Sequence


def end_work() -> None:
    """Have all work that goes on in other threads end with an exception."""

def normalise(ids: Sequence[str], keep_store_checks: bool) -> list[str]:
    """The ids of the normal forms of programs."""

def common_threads(ids: Sequence[str]) -> int:
    """
    How many threads each of the programs has, -1 where they differ or there is none.
    """

def broken_rules(ids: Sequence[str]) -> list[int]:
    """
    For each program, the rules it breaks, a bit each in the order of the definitions.
    """

MAX_STATES: int = 4194304

def count_states(id: str) -> int:
    """How many states a program reaches."""

def reachable_states(id: str, locations: int, values: int) -> tuple[list[int], list[int]]:
    """
    The reachable states of a program, and those of them from which no terminated state is reachable. A state is the mixed-radix number of (memory, pcs), location 0 the lowest digit, then thread 0.
    """

class Lts:
    """A finite transition system with threads."""

    def __init__(self, table: Sequence[Sequence[int]]) -> None:
        """
        A row a state, the first being the start: the state after a step of each thread, -1 for one that has ended.
        """

    @staticmethod
    def of_program(id: str) -> Lts:
        """The system of a program."""

    def table(self) -> list[list[int]]:
        """A row a state, as for making one."""

    def __len__(self) -> int:
        """How many states the start reaches."""

class Automaton:
    """A progress model for a number of threads, as tables."""

    def __init__(self, threads: int, steps: Sequence[Sequence[int]], ends: Sequence[Sequence[int]], fair: Sequence[Sequence[int]]) -> None:
        """The tables are those of `synth_checker.models.automaton.Automaton`."""

    @property
    def threads(self) -> int:
        """For how many threads it is."""

    @property
    def states(self) -> int:
        """How many states it has."""

class Judge:
    """Judges programs of a fixed number of threads under fixed automata."""

    def __init__(self, threads: int, automata: Sequence[Automaton], forms: Sequence[tuple[bool, bool]]) -> None:
        """
        `forms` says of each automaton whether its weak and strong verdicts are asked.
        """

    def verdicts(self, ids: Sequence[str]) -> list[int]:
        """
        For each program a bit mask of the verdicts it passes, in the order of the automata and forms.
        """

    def passes(self, system: Lts) -> int:
        """The same mask of a transition system."""

def explained(ids: Sequence[str], automata: Sequence[Automaton]) -> list[dict[int, int]]:
    """
    For each program, and each set of its threads that may be live at once, a bit mask of the verdicts that allow that these stay live for ever: two bits an automaton, for its weak and strong form.
    """

def fails_on_demand(id: str, models: Sequence[tuple[Callable[[int, int, bool], int], Callable[[int, int], int]]]) -> list[tuple[bool, bool]]:
    """
    For each model whether a program fails its weak and its strong form. A model says which state comes after (state, thread that steps, whether it ends), from 0 on, and the fair set in (state, live threads).
    """

def system_fails_on_demand(system: Lts, models: Sequence[tuple[Callable[[int, int, bool], int], Callable[[int, int], int]]]) -> list[tuple[bool, bool]]:
    """The same of a transition system."""

class IdSet:
    """Sorted ids, each once, in one piece of memory; never changed."""

    def __len__(self) -> int: ...

    def id(self, place: int) -> str:
        """The id at a place."""

    def place(self, id: str) -> int:
        """The place of the first id that is not less."""

    def lines(self, first: int, last: int) -> bytes:
        """The ids at [first, last), each ended by a line end."""

    def splits(self) -> dict[tuple[int, ...], int]:
        """The sizes of the threads, and how many ids have them."""

    def first_broken(self, first: int, last: int, allowed: int) -> tuple[int, int]:
        """
        The place of the first id at [first, last) that breaks a rule outside the mask `allowed`, and the mask of those it breaks; `last` and 0 where none does.
        """

    def least_of_orbits(self, first: int, last: int, keep_store_checks: bool) -> bytes:
        """
        Of the ids at [first, last), as lines, those that no order of the threads makes less.
        """

    def signatures(self) -> Signatures | None:
        """The signatures with which the ids were added, or None."""

    def verdicts(self, judges: Sequence[Judge], first: int, last: int) -> bytes:
        """
        The verdicts of the ids at [first, last), a mask of 8 bytes each, in the order of bytes of this machine; by the judge for their number of threads.
        """

class IdCollector:
    """Ids as they are found, in any order and some of them twice."""

    def __init__(self, with_signatures: bool = False) -> None: ...

    def add(self, lines: bytes) -> None:
        """Add ids, each ended by a line end."""

    def add_judged(self, lines: bytes, signatures: bytes) -> None:
        """
        Add ids, each ended by a line end, with their signatures, masks of 8 bytes each, as `examined` gives them.
        """

    def add_set(self, ids: IdSet) -> None:
        """Add all ids of a set."""

    def __len__(self) -> int:
        """How many were added."""

    def sorted(self) -> IdSet:
        """All of them; none is left behind."""

class Signatures:
    """A bit mask of verdicts a test, of which few are different."""

    def __init__(self, room: int) -> None:
        """With room for so many tests."""

    def append(self, masks: bytes) -> None:
        """Append masks of 8 bytes each, as `IdSet.verdicts` gives them."""

    def __len__(self) -> int: ...

    def mask(self, place: int) -> int:
        """The mask of a test."""

    def masks(self) -> list[int]:
        """The different masks, in the order in which they came."""

    def counts(self) -> list[int]:
        """How many tests have each of `masks`."""

class LineWriter:
    """Writes a line for an id, out of pieces of text."""

    def __init__(self, *, before_id: str, before_threads: str, before_field: Sequence[str], after_fields: str, between_instructions: str, between_threads: str, after_threads: str, no_exchange: str) -> None:
        """
        The pieces in the order in which they first stand in a line; an instruction's fields are loc, check, exch and target, and `no_exchange` stands for a number.
        """

    def line(self, id: str, end: str) -> str:
        """The line of an id, with that end."""

    def lines(self, ids: IdSet, signatures: Signatures, ends: Sequence[str], first: int, last: int) -> bytes:
        """
        The lines of the ids at [first, last); `ends` holds the end for each of the signatures' masks.
        """

def rising_lines(text: bytes, last: bytes) -> tuple[int, bool]:
    """
    How many lines come before the first that is not ended, or not greater than the one before it, which for the first is `last`; whether that is all of them.
    """

def ids_rise(text: bytes, head: bytes, last: bytes) -> bool:
    """
    Whether each line is ended, begins with `head`, an id and a quote, and the ids rise from `last`.
    """

def ended_lines(text: bytes) -> int:
    """
    How many lines of a text are ended; several times as fast as `bytes.count`.
    """

def common_lines(one: bytes, at: int, other: bytes, other_at: int) -> int:
    """
    The length of the lines that two texts have in common from these places on.
    """

EXPLICIT_SEARCH_STATES: int = 1024

EXPLICIT_SEARCH_VALUES: int = 8

EXPLICIT_SEARCH_ORDER: int = 1

def explicit_search_paths() -> list[tuple[str, bool]]:
    """
    The ways to search, the fastest first: the name, and whether this processor has it. All find the same tests.
    """

class ExplicitSearch:
    """The tests of a shape by explicit-state search."""

    def __init__(self, shape: Sequence[Sequence[int]], values: int, without: int, orders: Sequence[Sequence[int]], cuts: Sequence[tuple[int, int, int]], path: str = '') -> None:
        """
        `without` is the mask of the dropped rules; each test is written once for each order of its threads. Only the part is searched that the cuts leave: a depth in decisions, a remainder and a modulus each. `path` is one of `explicit_search_paths`, or empty for the fastest that the processor has.
        """

    def tests(self, steps: int) -> bytes:
        """
        The ids of the tests found in so many steps more, each ended by a line end.
        """

    def count(self, steps: int) -> int:
        """How many tests there are up to so many steps more."""

    @property
    def numbered(self) -> int:
        """How many the last cut has numbered so far."""

    @property
    def goes_on(self) -> bool:
        """Whether the search has not come to its end."""

class LazyChecker:
    """Judges the programs that a SAT solver proposes for a split."""

    def __init__(self, sizes: Sequence[int], locations: int, values: int, without: int, open: Sequence[int], effects: Sequence[int], jumps: Sequence[int], branches: Sequence[int], writes: Sequence[int], wanted: Sequence[tuple[Automaton, bool, bool]]) -> None:
        """
        `without` is the mask of the dropped rules, `open` the places that a skeleton leaves open. Of literals, 0 where something can't happen: `effects` per place, memory and memory left behind, `jumps` per place, memory and next pc, `branches` and `writes` per place. Memories are mixed-radix numbers, location 0 the lowest digit. `wanted` holds verdicts: the automaton, whether it is strong and whether it is passed.
        """

    def refuted_by(self, id: str) -> list[list[int]]:
        """
        Clauses that a program breaks and every wanted test satisfies; none if it breaks no rule that executions decide, and its verdicts are as wanted.
        """

    def completions(self, id: str) -> list[str]:
        """
        The ids of the tests that agree with a program in all but the open places.
        """

def relaxations(ids: Sequence[str], keep_store_checks: bool) -> list[list[tuple[int, int, int, str]]]:
    """
    The relaxations of programs in normal form: kind, thread and place or the two names, id of what is left.
    """

def contained(ids: Sequence[str], parts: Sequence[str]) -> list[list[int]]:
    """
    For each program, the places of the parts that are it or are among its sub-programs; all in normal form.
    """

def behaviours(ids: Sequence[str]) -> list[bytes]:
    """
    The canonical forms of the behaviours of programs, as unsigned 32-bit little-endian numbers.
    """

def examined(lines: bytes, judges: Sequence[Judge], allowed: int, with_behaviours: bool) -> tuple[bytes, bytes, str, int]:
    """
    Of programs, ids each ended by a line end: their verdicts, masks of 8 bytes each; hashes of their behaviours, 16 bytes each, or none; and the first that breaks a rule outside the mask `allowed`, which ends it, with those rules, or '' and 0.
    """

def behaviour_hashes(lines: bytes) -> bytes:
    """
    Of programs, ids each ended by a line end, hashes of their behaviours as `examined` gives them.
    """

class BehaviourSet:
    """Behaviours, known by their hashes."""

    def __init__(self) -> None: ...

    def insert(self, behaviours: bytes) -> bytes:
        """
        Insert hashes as `examined` gives them; a byte for each, 1 where it was missing.
        """

    def __len__(self) -> int: ...

class SharedOrbits:
    """What the processes of this machine know of orbits, in a file."""

    @staticmethod
    def open(file: str, slots: int) -> SharedOrbits | None:
        """
        Open or make the file, with so many slots of 16 bytes, in a folder of this machine's memory or disks; None if that is not possible.
        """

class Minimality:
    """Which tests are minimal, under fixed rules and models."""

    def __init__(self, without: int, automata: Sequence[Sequence[Automaton]], forms: Sequence[tuple[bool, bool]], by_orbits: bool = True, shared: SharedOrbits | None = None) -> None:
        """
        `without` is the mask of the dropped rules, `automata` has those of the models for 1, 2, ... threads, `forms` says of each model whether its weak and strong verdicts are asked. Without `by_orbits`, all tests are decided one by one. `shared` is what all processes know under the same models, or None.
        """

    def minimal(self, ids: Sequence[str], signatures: Sequence[int]) -> list[bool]:
        """
        For each program in normal form, whether no sub-program is a test with its signature.
        """

    def minimal_of(self, lines: bytes, signatures: bytes) -> bytes:
        """
        Of programs in normal form, ids each ended by a line end, those that are minimal, likewise; the signatures are masks of 8 bytes each, as `examined` gives them.
        """

    def known(self) -> int:
        """How many programs are known by now, sub-programs of what was asked."""

    def bytes(self) -> int:
        """How many bytes the memo of programs of usual size takes."""

class ProofChecker:
    """Checks a DRUP proof; see synth_checker.proofs."""

    def __init__(self) -> None: ...

    def read_formula(self, piece: bytes) -> bool:
        """
        Read the next piece of the formula; whether what comes behind it still matters.
        """

    def read_proof(self, piece: bytes) -> bool:
        """
        Read the next piece of the proof; whether what comes behind it still matters.
        """

    def refusal(self) -> str | None:
        """
        None if the proof, which has been read whole, shows that the formula has no model; else why it does not.
        """

class Simulator:
    """Launches of a test on a simulated scheduler."""

    def __init__(self, system: Lts, instances: int, places: bytes, *, slots: tuple[int, int], order: str, spread: int, batch: int, quantum: int, pick: str, seed: int, fault: str) -> None:
        """
        `places` has two numbers of 4 bytes for each workgroup: the instance and the thread that it runs.
        """

    def run(self, launch: int, take_events: Callable[[bytes], None] | None = None, schedule: Sequence[int] | None = None) -> tuple[bool, int, int, int, bytes, bytes]:
        """
        A launch by its number: whether it hung, its steps, its slots, the steps in a round of the schedule of a hang that recurrence decided (else 0), and for each instance the sets of threads that started and that finished, of 4 bytes each. `take_events` takes the events, some at a time: kind (start, step, preempt, end), workgroup and slot, of 4 bytes each. It may not use this simulator. `schedule` has the workgroups that step, in place of those that a random pick draws.
        """

    def recurs(self, workgroups: Sequence[int], prefix: int) -> bool:
        """
        Whether the device, with all workgroups resident, is after these steps in the state in which it was before the step at place `prefix`.
        """

class LaunchSpace:
    """All states that a launch of a kernel can reach."""

    def __init__(self, interpreter: object, groups: int, threads_of_group: int, elements: Sequence[tuple[int, int]], subgroup: int, lockstep: bool, leave: bool, merges: bool) -> None:
        """
        The interpreter is a `synth_kernels.progress.transducer.Transducer`. Each element of memory has the group whose it is, or -1, and the number of its first value.
        """

    def explore(self, first: Sequence[int], most: int) -> None:
        """
        Find all states from the first one, in which the threads have these states.
        """

    def held(self, element: int) -> int:
        """
        The number of the value of an element where the interpreter shall take a step.
        """

    def __len__(self) -> int: ...

    @property
    def edges(self) -> int:
        """How many steps there are from all states."""

    def state(self, state: int) -> tuple[list[int], list[int]]:
        """
        The numbers of the values of all elements, and of the states of all threads.
        """

    def row(self, state: int) -> list[tuple[int, int]]:
        """Each thread that can take a step, with the state after it."""

    def live(self, state: int) -> int:
        """The live groups, as a bit mask."""

    def ended(self) -> list[int]:
        """The states in which all threads have ended."""

    def way_to(self, state: int) -> list[int]:
        """The threads that step on a shortest way from the start to a state."""

    def stuck(self) -> list[int]:
        """
        The states in which no thread can take a step, although some thread has not ended.
        """

class LaunchVerdicts:
    """Which models a launch fails."""

    def __init__(self, space: LaunchSpace, models: object, number_of_models: int) -> None:
        """The models are a `synth_kernels.progress.decision.Together`."""

    def failing(self) -> list[list[tuple[int, int]]]:
        """
        For the weak and the strong form of each model the states of a set in which it fails, each with the state of the models; empty if the launch passes.
        """

    def nodes_of(self, state: int) -> list[tuple[int, int]]:
        """A state of the launch with each state that the models can be in there."""

    def way_to(self, goals: Sequence[tuple[int, int]]) -> tuple[list[int], tuple[int, int]]:
        """
        The threads that step on a shortest way to one of some states, and this state.
        """

    def __len__(self) -> int:
        """How many states there are, those of the models included."""
