"""Questions: which programs an enumeration looks for, in a form from which corpora and manifests take their names.

A question consists of the bounds, the number of locations and values that programs may use, the rules that are dropped
and the models that are judged. It also says whether only minimal tests are kept, and which tests count as the same. Two
corpora answer the same question if their questions are equal. How a question was answered is not part of it.
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
from synth_checker.nearest import check_known, unknown
from synth_checker.programs.program import MAX_INSTRUCTIONS, MAX_VALUES
from synth_checker.programs.rules import DROPPABLE, RULES

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The most splits that a bound may have. A list of more splits is of no use to anybody.
MAX_SPLITS = 100_000
#: The ways in which tests may differ and still count as the same.
UP_TO = ("threads", "behaviour")
_BOUND = re.compile(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})")


@dataclass(frozen=True, slots=True)
class Bound:
    """A size of programs, written `TxN`: exactly T threads and exactly N instructions, at least one for each thread.

    Raises:
        InputError: there are fewer instructions than threads.
        LimitError: a thread could have more than 35 instructions, there are too many threads for verdicts, or there are
            more than `MAX_SPLITS` splits.
    """

    threads: int
    instructions: int

    def __post_init__(self) -> None:
        if self.threads < 1 or self.instructions < self.threads:
            raise InputError(
                f"bound {self}: found {self.instructions} instructions, expected at least one for each thread"
            )
        longest = self.instructions - self.threads + 1
        if longest > MAX_INSTRUCTIONS:
            raise LimitError(
                f"bound {self}: a thread could have {longest} instructions, expected at most {MAX_INSTRUCTIONS}"
            )
        if self.threads > MAX_THREADS:
            raise LimitError(
                f"bound {self}: found {self.threads} threads, expected at most {MAX_THREADS}, the limit for verdicts"
            )
        splits = math.comb(self.instructions - 1, self.threads - 1)
        if splits > MAX_SPLITS:
            raise LimitError(
                f"bound {self}: found {splits:,} splits of the instructions, expected at most {MAX_SPLITS:,}"
            )

    def __str__(self) -> str:
        return f"{self.threads}x{self.instructions}"

    def splits(self) -> Iterator[tuple[int, ...]]:
        """Yield every split: a tuple of the sizes of the threads. The tuples come in lexicographic order."""
        yield from _compositions(self.instructions, self.threads)


def split_name(sizes: Iterable[int]) -> str:
    """Return the name of a split in manifests and messages, such as `2+1+1`."""
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
    """The question that an enumeration answers: which programs it looks for, and which of them it keeps.

    - `bounds`, `locations` and `values` limit the programs; `without` names the rules that are dropped.
    - `models` holds the names of models; a model that the user wrote is given by its text (`synth_checker.models`).
    - `minimal` says that only minimal tests are kept.
    - `up_to` says that of several tests only the one with the least id is kept. With `threads` these are tests that
      differ only in the order of their threads; then all models must treat threads alike. With `behaviour` these are
      tests that are behaviour-equivalent.

    An enumeration applies `minimal`, `threads` and `behaviour` in this order.

    Raises:
        InputError: there is no bound, a number is below 1, a rule cannot be dropped, a model is unknown, or `up_to` has
            `threads` and a model is not thread-symmetric.
        LimitError: there are more than 36 locations or values.
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
        for name, option in (("bounds", self.bounds), ("without", self.without), ("up to", self.up_to)):
            check_type(name, option, Iterable, "several")
        self._check_numbers()
        for rule in self.without:
            if rule not in DROPPABLE:
                if rule not in RULES:
                    raise unknown("without", rule, DROPPABLE)
                raise InputError(
                    f"without: found {rule!r}, which cannot be dropped, expected one of {', '.join(DROPPABLE)}"
                )
        for word in self.up_to:
            check_known("up to", word, UP_TO)
        # Equal questions become equal values, in whatever order their parts were given.
        object.__setattr__(self, "bounds", tuple(sorted(set(self.bounds), key=lambda b: (b.instructions, b.threads))))
        object.__setattr__(self, "without", tuple(rule for rule in RULES if rule in self.without))
        object.__setattr__(self, "models", tuple(map(word_of, models_named(self.models))))
        object.__setattr__(self, "up_to", tuple(word for word in UP_TO if word in self.up_to))
        self._check_symmetry()

    def _check_numbers(self) -> None:
        if not self.bounds:
            raise InputError("bounds: found none, expected at least one in the form TxN, such as 2x3")
        for bound in self.bounds:
            check_type("bounds", bound, Bound, "a Bound; the function synth.question makes one from a text")
        for name, number in (("locations", self.locations), ("values", self.values)):
            check_type(name, number, int, "a whole number")
            if number < 1:
                raise InputError(f"{name}: found {number}, expected at least 1")
            if number > MAX_VALUES:
                raise LimitError(f"{name}: found {number}, expected at most {MAX_VALUES}")

    def _check_symmetry(self) -> None:
        for model in models_named(self.models) if "threads" in self.up_to else ():
            if not all(model.is_thread_symmetric(bound.threads) for bound in self.bounds):
                problem = f"up to threads: the model {model.name} treats threads differently by their ids"
                raise InputError(f"{problem}; leave out this model, or --up-to threads")

    @property
    def keep_store_checks(self) -> bool:
        """Return whether stores that compare with different values are different programs."""
        return "meaningful-comparisons" in self.without

    @property
    def keeps_all(self) -> bool:
        """Return whether the question keeps all tests: `minimal` is false, and no tests count as the same."""
        return not self.minimal and not self.up_to

    @property
    def name(self) -> str:
        """Return a short name for files: the bounds, and then each part that differs from its default."""
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
    """Return the name of a model for use in a file name: the signs of an expression become words."""
    for sign, word in (("&", "and"), ("|", "or"), (" - ", " minus ")):
        model = model.replace(sign, word)
    return "-".join(re.findall(r"[\w+-]+", model))


def parse_bounds(words: Iterable[str]) -> tuple[Bound, ...]:
    """Read bounds from texts such as `3x4`, `2x3,3x4` and `2x3..3x5`.

    A range `AxB..CxD` stands for all `TxN` with A <= T <= C, B <= N <= D and T <= N.

    Raises:
        InputError: a text has another form, or a range is empty.
        LimitError: a bound is too large.
    """
    return tuple(bound for text in words for word in text.split(",") for bound in _bounds_of(word.strip()))


def _bounds_of(word: str) -> Iterator[Bound]:
    first, dots, last = word.partition("..")
    low = _pair(first, word)
    if not dots:
        yield Bound(*low)
        return
    high = _pair(last, word)
    bounds = [
        Bound(threads, instructions)
        for instructions in range(low[1], high[1] + 1)
        for threads in range(low[0], min(high[0], instructions) + 1)
    ]
    if not bounds:
        raise InputError(f"bounds: found the empty range {word!r}, expected AxB..CxD with A <= C and B <= D")
    yield from bounds


def _pair(text: str, word: str) -> tuple[int, int]:
    match = _BOUND.fullmatch(text)
    if match is None:
        raise InputError(
            f"bounds: found {quoted(word)}, expected TxN, several of these with commas between, or a range AxB..CxD"
        )
    return int(match[1]), int(match[2])
