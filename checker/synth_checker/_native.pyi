"""The C++ core of synth_checker."""

from collections.abc import Sequence


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

def count_states(id: str) -> int:
    """How many states a program reaches."""

def reachable_states(id: str, locations: int, values: int) -> tuple[list[int], list[int]]:
    """
    The reachable states of a program, and those of them from which no terminated state is reachable. A state is the mixed-radix number of (memory, pcs), location 0 the lowest digit, then thread 0.
    """

class Judge:
    """Judges programs of a fixed number of threads under fixed automata."""

    def __init__(self, threads: int, tables: Sequence[tuple[Sequence[Sequence[int]], Sequence[Sequence[int]], Sequence[Sequence[int]]]], forms: Sequence[tuple[bool, bool]]) -> None:
        """
        `tables` holds (steps, ends, fair) per automaton, `forms` whether its weak and strong verdicts are asked.
        """

    def verdicts(self, ids: Sequence[str]) -> list[int]:
        """
        For each program a bit mask of the verdicts it passes, in the order of the automata and forms.
        """

EXPLICIT_SEARCH_STATES: int = 1024

EXPLICIT_SEARCH_VALUES: int = 8

class ExplicitSearch:
    """The tests of a shape by explicit-state search."""

    def __init__(self, shape: Sequence[Sequence[int]], values: int, without: int, orders: Sequence[Sequence[int]]) -> None:
        """
        `without` is the mask of the dropped rules; each test is written once for each order of its threads.
        """

    def tests(self, steps: int) -> list[str]:
        """The ids of the tests found in so many steps more."""

    def count(self, steps: int) -> int:
        """How many tests there are up to so many steps more."""

    @property
    def goes_on(self) -> bool:
        """Whether the search has not come to its end."""

class LazyChecker:
    """Judges the programs that a SAT solver proposes for a split."""

    def __init__(self, sizes: Sequence[int], locations: int, values: int, without: int, open: Sequence[int], effects: Sequence[int], jumps: Sequence[int], branches: Sequence[int], writes: Sequence[int]) -> None:
        """
        `without` is the mask of the dropped rules, `open` the places that a skeleton leaves open. Of literals, 0 where something can't happen: `effects` per place, memory and memory left behind, `jumps` per place, memory and next pc, `branches` and `writes` per place. Memories are mixed-radix numbers, location 0 the lowest digit.
        """

    def refuted_by(self, id: str) -> list[list[int]]:
        """
        Clauses that a program breaks and every test satisfies; none if it breaks no rule that executions decide.
        """

    def completions(self, id: str) -> list[str]:
        """
        The ids of the tests that agree with a program in all but the open places.
        """

def relaxations(ids: Sequence[str], keep_store_checks: bool) -> list[list[tuple[int, int, int, str]]]:
    """
    The relaxations of programs in normal form: kind, thread and place or the two names, id of what is left.
    """

def behaviours(ids: Sequence[str]) -> list[bytes]:
    """
    The canonical forms of the behaviours of programs, as unsigned 32-bit little-endian numbers.
    """

class Minimality:
    """Which tests are minimal, under fixed rules and models."""

    def __init__(self, without: int, tables: Sequence[Sequence[tuple[Sequence[Sequence[int]], Sequence[Sequence[int]], Sequence[Sequence[int]]]]], forms: Sequence[tuple[bool, bool]]) -> None:
        """
        `without` is the mask of the dropped rules, `tables` holds for 1, 2, ... threads (steps, ends, fair) per automaton, `forms` whether its weak and strong verdicts are asked.
        """

    def minimal(self, ids: Sequence[str], signatures: Sequence[int]) -> list[bool]:
        """
        For each program in normal form, whether no sub-program is a test with its signature.
        """

    def known(self) -> int:
        """How many programs are known by now, sub-programs of what was asked."""

    def bytes(self) -> int:
        """How many bytes the memo of programs of usual size takes."""
