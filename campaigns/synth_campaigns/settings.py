"""What a campaign shall do: which tests, on which devices, how often, and what to do when something goes wrong.

The dataclasses here check their values. `campaign_file` reads them from a file and writes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from synth_backends.mapping import read_mapping
from synth_backends.stress import read_shape
from synth_backends.target import check_stress
from synth_campaigns.intervals import clean_launches
from synth_checker.errors import InputError, check_number, check_type
from synth_checker.nearest import unknown
from synth_devices.catalogue import load_device

if TYPE_CHECKING:
    from synth_devices.device import Device

ORDERS = ("shuffled", "as-given", "informative")
WEDGED = ("pause", "stop")
MAPPINGS = ("plain", "round-robin", "chunked")
#: The most launches of a cell.
MOST_LAUNCHES = 1_000_000
_MOST = 1 << 30


@dataclass(frozen=True, slots=True)
class RunSettings:
    """A device, and the mappings under which a campaign launches tests on it.

    - `instances` is how many instances of a test run at once. None means as many as give the number of workgroups that
      is usual for the device. Under the mapping `plain` there is always one instance.
    - `stress` is how many workgroups only stress memory, or their share of all workgroups, such as 0.25.
    - `stress_shape` says how they stress it.
    - `width` is how many threads a workgroup has at least.
    - `busy` is how many processes keep the processors of the host busy.
    - `expected` is a part of the line in which the device says what it is. The campaign sets aside a device that says
      something else. An empty text allows every device.

    Raises:
        InputError: the device or a mapping is unknown, the device cannot run the mapping, or a number is too small.
    """

    device: str
    mappings: tuple[str, ...] = MAPPINGS
    instances: int | None = None
    stress: int | float = 0
    busy: int = 0
    expected: str = ""
    width: int = 1
    stress_shape: str = "add"

    def __post_init__(self) -> None:
        device = load_device(self.device)
        check_number("width", self.width, 1, 1024)
        if not self.mappings:
            raise InputError("mappings: found an empty list, expected at least one mapping")
        for mapping in self.mappings:
            self._check_lanes(device, mapping)
        if self.instances is not None:
            check_number("instances", self.instances, 1, _MOST)
        check_stress(self.stress)
        read_shape(self.stress_shape)
        check_number("busy", self.busy, 0, 1024)
        check_type("expected", self.expected, str, "a text")

    def _check_lanes(self, device: Device, mapping: str) -> None:
        needs = f"mapping {mapping}" if read_mapping(mapping).apart else f"width {self.width}" if self.width > 1 else ""
        if needs and not device.has_lanes:
            raise InputError(
                f"{needs}: on device {self.device}, a workgroup has only one thread; choose another device"
            )

    def load(self) -> Device:
        """Return the device."""
        return load_device(self.device)


@dataclass(frozen=True, slots=True)
class LaunchSettings:
    """How often a campaign launches each cell, and after which time a program gives up a launch.

    - `count` is how many launches a cell needs if none hangs.
    - `until` takes the place of `count`. A cell then has launches until the first one hangs, or until the 95 % interval
      of the rate of hangs ends below `until`.
    - `timeout_s` is after how many seconds a program gives up a launch. The time-out is more if launches on the device
      under the same mapping took long: ten times what 95 % of them do not exceed, and twice the longest.
    - `confirm_s` takes the place of `timeout_s` if a hang of the launch would be the first one against a verdict.
    - `after_hang` is how many launches follow the first hang of a cell. With `until`, none follow.

    Raises:
        InputError: a value is wrong.
    """

    count: int = 20
    until: float | None = None
    timeout_s: float = 2
    confirm_s: float = 30
    after_hang: int = 4

    def __post_init__(self) -> None:
        check_number("count", self.count, 1, MOST_LAUNCHES)
        _check_seconds("timeout", self.timeout_s)
        _check_seconds("confirm", self.confirm_s)
        check_number("after_hang", self.after_hang, 0, MOST_LAUNCHES)
        if self.until is not None:
            check_type("until", self.until, float, "a number between 0 and 1")
            if not 0.00001 <= self.until < 1:
                raise InputError(f"until: found {self.until}, expected a number from 0.00001 to 1")

    @property
    def declared(self) -> int:
        """How many launches a cell needs if none of them hangs."""
        return self.count if self.until is None else clean_launches(self.until)

    @property
    def after_first_hang(self) -> int:
        """How many launches follow the first hang of a cell."""
        return self.after_hang if self.until is None else 0


@dataclass(frozen=True, slots=True)
class Policy:
    """What a campaign does when something goes wrong.

    - `preparation_s` is how many seconds a program may take before its first launch.
    - `tries` is a number of attempts. If so many attempts of a cell, one after the other, have no launch that ended or
      hung, the campaign makes no more attempts for this cell.
    - `wedged` says what to do if nothing can kill the processes of a device. With `pause`, the run launches nothing
      more on this device. With `stop`, the run ends.

    Raises:
        InputError: a value is wrong.
    """

    preparation_s: float = 120.0
    tries: int = 3
    wedged: str = "pause"

    def __post_init__(self) -> None:
        _check_seconds("preparation", self.preparation_s)
        check_number("tries", self.tries, 1, 1000)
        if self.wedged not in WEDGED:
            raise unknown("wedged", str(self.wedged), WEDGED)


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a campaign shall do. `suite` has words for tests: ids, names, files or corpora.

    Raises:
        InputError: a list is empty, or a value is wrong.
    """

    suite: tuple[str, ...]
    runs: tuple[RunSettings, ...]
    launches: LaunchSettings = field(default_factory=LaunchSettings)
    policy: Policy = field(default_factory=Policy)
    seed: int = 0
    order: str = "shuffled"

    def __post_init__(self) -> None:
        if not self.suite:
            raise InputError("suite: found no test, expected at least one")
        if not self.runs:
            raise InputError("run: the campaign names no device; add a part [[run]] with the key device")
        check_number("seed", self.seed, 0, 2**63 - 1)
        if self.order not in ORDERS:
            raise unknown("order", str(self.order), ORDERS)


def _check_seconds(what: str, seconds: object) -> None:
    check_type(what, seconds, () if isinstance(seconds, bool) else (int, float), "a number of seconds")
    if not 0.1 <= cast("float", seconds) <= 1_000_000:
        raise InputError(f"{what}: found {seconds}, expected 0.1 to 1000000 seconds")
