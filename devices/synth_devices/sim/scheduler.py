"""The configuration of a simulated scheduler: a small TOML file, or the name of a preset.

    slots = 16              # how many workgroups are resident at once; [4, 16] draws a number for each launch
    order = "linear"        # in which order workgroups get slots: linear, reverse, stride:S, random, jitter:J
    batch = 1               # how many workgroups a slot takes from the queue at once
    preempt = "never"       # or after how many steps a workgroup goes back to the end of the queue
    pick = "random"         # which resident workgroup steps next: rotate, lowest, random, weighted
    seed = 0

Only `slots` is required. docs/understand/sim.md says what each key means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from synth_checker.errors import InputError, check_number, check_type, excerpt
from synth_checker.nearest import check_known, unknown
from synth_checker.toml_text import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The words for an order, and what the number behind the colon is, for those that have one.
ORDERS: Mapping[str, str | None] = {"linear": None, "reverse": None, "stride": "S", "random": None, "jitter": "J"}
PICKS = ("rotate", "lowest", "random", "weighted")
KEYS = ("slots", "order", "batch", "preempt", "pick", "seed")
#: The most that slots, strides, jitters, batches and quanta may be.
MOST = 1 << 20
_MOST_SEED = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Scheduler:
    """A simulated scheduler.

    `slots` are the least and the largest number of slots that a launch may have. `spread` is the number after `stride:`
    or `jitter:`, and 1 for other orders. `quantum` is the number of steps after which a workgroup is pre-empted; 0
    means never.

    Raises:
        InputError: a value is not allowed; pre-emption comes with a random pick, so that hangs can't be decided; or
            pre-emption comes with batches, whose workgroups run one after the other.
    """

    slots: tuple[int, int]
    order: str = "linear"
    spread: int = 1
    batch: int = 1
    quantum: int = 0
    pick: str = "random"
    seed: int = 0

    def __post_init__(self) -> None:
        check_type("slots", self.slots, tuple, "a tuple of the least and the most number of slots")
        if len(self.slots) != 2:
            raise InputError(f"slots: found {len(self.slots)} numbers, expected two: the least and the most")
        least, most = self.slots
        check_number("slots", least, 1, MOST)
        check_number("slots", most, 1, MOST)
        if least > most:
            raise InputError(f"slots: found [{least}, {most}], expected the lower number first")
        check_type("order", self.order, str, f"one of {', '.join(ORDERS)}")
        check_known("order", self.order, ORDERS)
        check_type("pick", self.pick, str, f"one of {', '.join(PICKS)}")
        check_known("pick", self.pick, PICKS)
        check_number(self.order, self.spread, 1, MOST)
        check_number("batch", self.batch, 1, MOST)
        check_number("preempt", self.quantum, 0, MOST)
        check_number("seed", self.seed, 0, _MOST_SEED)
        if not self.is_deterministic and self.quantum:
            raise InputError(
                f"preempt and pick: found pre-emption with pick = {self.pick!r}, for which synth cannot decide whether "
                "a launch hangs; expected preempt = 'never', or pick = 'rotate' or 'lowest'"
            )

        if self.batch > 1 and self.quantum:
            raise InputError(
                f"batch and preempt: found pre-emption with batch = {self.batch}, but the workgroups of a batch run "
                "one after the other; expected batch = 1 or preempt = 'never'"
            )

    @property
    def is_deterministic(self) -> bool:
        """Return whether nothing is random in a launch after its number of slots and its queue have been drawn."""
        return self.pick in ("rotate", "lowest")

    @property
    def order_word(self) -> str:
        """Return the order in the form that a scheduler file has, such as `stride:13`."""
        return f"{self.order}:{self.spread}" if ORDERS[self.order] else self.order

    def toml(self) -> str:
        """Return the text of a scheduler file that describes this scheduler. It has all keys."""
        least, most = self.slots
        rows = {
            "slots": least if least == most else [least, most],
            "order": f'"{self.order_word}"',
            "batch": self.batch,
            "preempt": self.quantum or '"never"',
            "pick": f'"{self.pick}"',
            "seed": self.seed,
        }
        return "".join(f"{key} = {value}\n" for key, value in rows.items())


def scheduler_of(text: str) -> Scheduler:
    """Read the text of a scheduler file.

    Raises:
        InputError: the text is no TOML, has an unknown key, lacks `slots`, or has a value that is not allowed.
    """
    table = read_toml(text)
    for key in table:
        check_known("key", key, KEYS)
    if "slots" not in table:
        raise InputError(
            "the key slots is missing; it says how many workgroups are resident at once, such as slots = 16"
        )
    order, spread = _order(table.get("order", "linear"))
    return Scheduler(
        slots=_slots(table["slots"]),
        order=order,
        spread=spread,
        batch=_number("batch", table.get("batch", 1), 1),
        quantum=_quantum(table.get("preempt", "never")),
        pick=cast("str", table.get("pick", "random")),
        seed=_number("seed", table.get("seed", 0), 0, _MOST_SEED),
    )


def _slots(value: object) -> tuple[int, int]:
    if not isinstance(value, list):
        number = _number("slots", value, 1)
        return number, number
    if len(value) != 2:
        raise InputError(f"slots: found a list of {len(value)} numbers, expected one number, or the least and the most")
    return _number("slots", value[0], 1), _number("slots", value[1], 1)


def _order(value: object) -> tuple[str, int]:
    check_type("order", value, str, f"one of {', '.join(ORDERS)}")
    name, colon, text = str(value).partition(":")
    check_known("order", name, ORDERS)
    letter = ORDERS[name]
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MOST))
    if (letter is None and colon) or (letter is not None and not is_number):
        expected = f"{name}:{letter} with a number for {letter}" if letter else f"{name} alone"
        raise InputError(f"order: found {excerpt(str(value))!r}, expected {expected}")
    return name, _number("order", int(text), 1) if letter else 1


def _quantum(value: object) -> int:
    if value == "never":
        return 0
    if isinstance(value, str):
        raise unknown("preempt", value, ["never"], "'never' or a number of steps")
    return _number("preempt", value, 1)


def _number(key: str, value: object, least: int, most: int = MOST) -> int:
    check_number(key, value, least, most)
    return cast("int", value)
