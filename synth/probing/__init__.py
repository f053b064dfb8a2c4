"""What a person with one device and ten minutes wants to know: what is this device seen to do?

`synth probe` runs the most telling tests as a campaign. So the results stay, and the same command continues it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth.campaigning.asking import Asked, tests_of
from synth.inputs.named_tests import ids_in
from synth.suites.choosing import DEFAULT, smallest_suites
from synth_campaigns.settings import Launches, Run, Settings
from synth_checker.models import library
from synth_checker.relations.fairness_order import is_implied, verdicts_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth.work.execution import Progress
    from synth_campaigns.claims import Claim, Status

#: The corpora from which tests are chosen.
CORPORA = ("@minimal/2x2", "@minimal/2x3", "@minimal/3x3", "@minimal/3x4")
MAPPINGS = ("plain", "round-robin", "chunked")
#: Devices on which a hang can freeze no screen.
HARMLESS = ("sim", "cpu")


def telling_tests(progress: Progress) -> list[str]:
    """Return the ids of the most telling tests: the smallest suites of all verdicts, with idioms among their goals.

    Such suites tell each verdict from less fair ones, and catch each scheduler fault that `synth sim power` plants.
    """
    ids = [id_ for corpus in CORPORA for id_ in ids_in(corpus)]
    suites = smallest_suites((), ids, (*DEFAULT, "idioms"), progress=progress)
    return sorted(
        {test.id for suite in suites.values() if suite for test in suite.tests}, key=lambda id_: (len(id_), id_)
    )


def probe_of(device: str, ids: Sequence[str], launches: int, folder: Path) -> Asked:
    """Return the campaign of a probe.

    Raises:
        InputError: there is no such device.
    """
    settings = Settings(tuple(ids), (Run(device, MAPPINGS),), Launches(count=launches))
    return Asked(settings, tests_of(ids), folder)


class Summary(NamedTuple):
    """The claims in short: the least fair verdicts that the device violates, and the fairest that it may keep.

    Whatever is at least as fair as a violated verdict is violated, too.
    """

    violated: tuple[str, ...]
    consistent: tuple[str, ...]


def summary_of(claims: Sequence[Claim]) -> Summary:
    """Return the claims in short."""
    verdicts = {one.name: one for one in verdicts_of(library())}

    def named(status: Status) -> list[str]:
        return [claim.verdict for claim in claims if claim.status == status and claim.verdict in verdicts]

    def is_at_most(one: str, other: str) -> bool:
        return one != other and is_implied(verdicts[one], verdicts[other])

    def is_less(one: str, other: str) -> bool:
        return is_at_most(one, other) and not is_at_most(other, one)

    violated, consistent = named("violates"), named("consistent with")
    return Summary(
        tuple(one for one in violated if not any(is_less(other, one) for other in violated)),
        tuple(one for one in consistent if not any(is_less(one, other) for other in consistent)),
    )
