"""What a person with one device and ten minutes wants to know: what is this device seen to do?

`synth probe` runs the most telling tests as a campaign. So the results stay, and the same command continues it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_campaigns.answers.request import CampaignRequest, tests_of
from synth_campaigns.settings import LaunchSettings, RunSettings, Settings
from synth_litmus.inputs.named_tests import ids_in
from synth_search.suites.answer import DEFAULT
from synth_search.suites.choice import smallest_suites

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_workers.execution import Progress

#: The corpora from which tests are chosen.
CORPORA = ("@minimal/2x2", "@minimal/2x3", "@minimal/3x3", "@minimal/2x4", "@minimal/3x4")
MAPPINGS = ("plain", "round-robin", "chunked")
#: Devices on which a hang can freeze no screen.
HARMLESS = ("sim", "cpu")


def telling_tests(progress: Progress) -> list[str]:
    """Return the ids of the most telling tests: the smallest suites of all verdicts, with idioms among their goals.

    Such suites tell each verdict from less fair ones, and catch each scheduler fault that `synth sim power` plants. The
    minimal tests of the smallest bound are added: some schedulers pass every test of the suites, and hang on these.
    """
    ids = [id_ for corpus in CORPORA for id_ in ids_in(corpus)]
    suites = smallest_suites((), ids, (*DEFAULT, "idioms"), progress=progress)
    chosen = {test.id for suite in suites.values() if suite for test in suite.tests}
    return sorted(chosen | set(ids_in(CORPORA[0])), key=lambda id_: (len(id_), id_))


def probe_of(device: str, ids: Sequence[str], launches: int, folder: Path) -> CampaignRequest:
    """Return the campaign of a probe.

    Raises:
        InputError: there is no such device.
    """
    settings = Settings(tuple(ids), (RunSettings(device, MAPPINGS),), LaunchSettings(count=launches))
    return CampaignRequest(settings, tests_of(ids), folder)
