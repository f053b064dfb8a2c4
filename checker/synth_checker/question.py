"""Questions: which programs are asked for, in a form that names corpora and manifests.

A question is the bounds, how many locations and values programs may use, which rules are dropped, which models are
judged, whether only minimal tests are kept, and up to what tests are the same. Two corpora answer the same question
exactly if their questions are equal; how it was answered is not part of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth_checker.errors import InputError, LimitError, check_type, quoted
from synth_checker.models import LIBRARY, models_named, word_of
from synth_checker.models.automaton import MAX_THREADS
from synth_checker.nearest import unknown
from synth_checker.programs.program import MAX_INSTRUCTIONS, MAX_VALUES
from synth_checker.programs.rules import DROPPABLE, RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

#: Ways to give instructions to threads beyond which not even listing them is of use.
MAX_SPLITS = 100_000
#: What tests may be the same up to.
UP_TO = ("threads", "behaviour")
_BOUND = re.compile(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})")


@dataclass(frozen=True, slots=True)
class Bound:
    """`TxN`: exactly T threads and exactly N instructions, every thread with at least one.

    Raises:
        InputError: there are fewer instructions than threads.
        LimitError: a thread could have more than 35 instructions, or there are more threads or splits than can be
            asked for.
    """

    threads: int
    instructions: int

    def __post_init__(self) -> None:
        if self.threads < 1 or self.instructions < self.threads:
            msg = f"bound {self}: found {self.instructions} instructions, expected at least one for each thread"
            raise InputError(msg)
        longest = self.instructions - self.threads + 1
        if longest > MAX_INSTRUCTIONS:
            msg = f"bound {self}: a thread could have {longest} instructions, expected at most {MAX_INSTRUCTIONS}"
            raise LimitError(msg)
        if self.threads > MAX_THREADS:
            msg = f"bound {self}: found {self.threads} threads, expected at most {MAX_THREADS}, as verdicts need"
            raise LimitError(msg)
        splits = math.comb(self.instructions - 1, self.threads - 1)
        if splits > MAX_SPLITS:
            msg = f"bound {self}: found {splits:,} splits of the instructions, expected at most {MAX_SPLITS:,}"
            raise LimitError(msg)

    def __str__(self) -> str:
        return f"{self.threads}x{self.instructions}"

    def splits(self) -> Iterator[tuple[int, ...]]:
        """Every way to give the instructions to the threads: tuples of positive sizes, in lexicographic order."""
        yield from _compositions(self.instructions, self.threads)


def split_name(sizes: Iterable[int]) -> str:
    """A split as manifests and messages call it: `2+1+1`."""
    return "+".join(map(str, sizes))


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(1, total - parts + 2):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """What an enumeration is asked for.

    `models` are given by their names, those of one's own by their texts (`synth_checker.models`).
    With `minimal` only minimal tests are kept. `up_to` says of which tests one is kept, the one with the least id: with
    `threads` of those that differ in the order of their threads only, and no model may then tell threads apart; with
    `behaviour` of those that are behaviour-equivalent. Whatever is asked is done in this order.

    Raises:
        InputError: no bound, a number below 1, a rule that can't be dropped, or a model that is not known or, with
            `up_to` threads, not thread-symmetric.
        LimitError: more than 36 locations or values.
    """

    bounds: tuple[Bound, ...]
    locations: int = 2
    values: int = 2
    without: tuple[str, ...] = ()
    models: tuple[str, ...] = LIBRARY
    minimal: bool = False
    up_to: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Question {self.name}>"

    def __post_init__(self) -> None:
        for name, given in (("bounds", self.bounds), ("without", self.without), ("up to", self.up_to)):
            check_type(name, given, Iterable, "several")
        self._check_numbers()
        for rule in self.without:
            if rule not in DROPPABLE:
                if rule not in RULES:
                    raise unknown("without", rule, DROPPABLE)
                msg = f"without: found {rule!r}, which can't be dropped, expected one of {', '.join(DROPPABLE)}"
                raise InputError(msg)
        for word in self.up_to:
            if word not in UP_TO:
                raise unknown("up to", word, UP_TO)
        # One value for one question, however it was asked.
        object.__setattr__(self, "bounds", tuple(sorted(set(self.bounds), key=lambda b: (b.instructions, b.threads))))
        object.__setattr__(self, "without", tuple(rule for rule in RULES if rule in self.without))
        object.__setattr__(self, "models", tuple(map(word_of, models_named(self.models))))
        object.__setattr__(self, "up_to", tuple(word for word in UP_TO if word in self.up_to))
        self._check_symmetry()

    def _check_numbers(self) -> None:
        if not self.bounds:
            msg = "bounds: found none, expected TxN"
            raise InputError(msg)
        for bound in self.bounds:
            check_type("bounds", bound, Bound, "bounds, as synth.question reads them")
        for name, number in (("locations", self.locations), ("values", self.values)):
            check_type(name, number, int, "a whole number")
            if number < 1:
                msg = f"{name}: found {number}, expected at least 1"
                raise InputError(msg)
            if number > MAX_VALUES:
                msg = f"{name}: found {number}, expected at most {MAX_VALUES}"
                raise LimitError(msg)

    def _check_symmetry(self) -> None:
        for model in models_named(self.models) if "threads" in self.up_to else ():
            if not all(model.is_thread_symmetric(bound.threads) for bound in self.bounds):
                msg = f"up to threads: found model {model.name}, which tells threads apart, expected models that don't"
                raise InputError(msg)

    @property
    def keep_store_checks(self) -> bool:
        """Whether stores that compare with different values are different programs."""
        return "meaningful-comparisons" in self.without

    @property
    def keeps_all(self) -> bool:
        """Whether all tests are kept."""
        return not self.minimal and not self.up_to

    @property
    def name(self) -> str:
        """A short name for files: the bounds, then what differs from the defaults."""
        parts = [",".join(map(str, self.bounds))]
        if self.locations != Question.__dataclass_fields__["locations"].default:
            parts.append(f"locations-{self.locations}")
        if self.values != Question.__dataclass_fields__["values"].default:
            parts.append(f"values-{self.values}")
        parts.extend(f"without-{rule}" for rule in self.without)
        if self.models != LIBRARY:
            parts.append(f"models-{','.join(_in_a_file_name(model.name) for model in models_named(self.models))}")
        if self.minimal:
            parts.append("minimal")
        parts.extend(f"up-to-{word}" for word in self.up_to)
        return "-".join(parts)


def _in_a_file_name(model: str) -> str:
    """The name of a model in the name of a file: of an expression, words alone, with nothing that a shell reads."""
    for sign, word in (("&", "and"), ("|", "or"), (" - ", " minus ")):
        model = model.replace(sign, word)
    return "-".join(re.findall(r"[\w+-]+", model))


def parse_bounds(words: Iterable[str]) -> tuple[Bound, ...]:
    """Read `TxN`, comma lists and ranges `AxB..CxD` (all TxN with A <= T <= C, B <= N <= D, T <= N).

    Raises:
        InputError: a word has another form, or a range is empty.
    """
    return tuple(bound for text in words for word in text.split(",") for bound in _bounds_of(word.strip()))


def _bounds_of(word: str) -> Iterator[Bound]:
    first, dots, last = word.partition("..")
    low = _pair(first, word)
    if not dots:
        yield Bound(*low)
        return
    high = _pair(last, word)
    found = [
        Bound(threads, instructions)
        for instructions in range(low[1], high[1] + 1)
        for threads in range(low[0], min(high[0], instructions) + 1)
    ]
    if not found:
        msg = f"bounds: found the empty range {word!r}, expected AxB..CxD with A <= C and B <= D"
        raise InputError(msg)
    yield from found


def _pair(text: str, word: str) -> tuple[int, int]:
    match = _BOUND.fullmatch(text)
    if match is None:
        msg = f"bounds: found {quoted(word)}, expected TxN, a comma list of them, or AxB..CxD"
        raise InputError(msg)
    return int(match[1]), int(match[2])
