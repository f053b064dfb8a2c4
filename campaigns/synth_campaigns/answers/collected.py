"""Collect result lines that others printed, in a campaign that is there, that a bundle describes, or that they make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from synth_campaigns.answers.status import CampaignStatus, campaign_answer, campaign_status
from synth_campaigns.bundle import campaign_in, is_bundle
from synth_campaigns.collection import FileReport, collect
from synth_campaigns.folder import create, is_campaign, lock_campaign, open_store, settings_in
from synth_campaigns.from_results import campaign_of
from synth_campaigns.result_files import read_file
from synth_checker.errors import InputError
from synth_storage.answer_json import HIDDEN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_campaigns.answers.status import CampaignAnswer
    from synth_campaigns.result_files import ResultFile

_CONFIRM_S = 30.0


@dataclass(frozen=True, slots=True)
class CollectedAnswer:
    """What came of each file, and the campaign that has the results now."""

    files: list[FileReport]
    campaign: CampaignStatus
    results: CampaignAnswer = field(metadata=HIDDEN)

    @property
    def refused(self) -> int:
        """How many lines do not count."""
        return sum(len(file.refused) for file in self.files)


def collect_files(words: Sequence[Path], out: Path | None, confirm_s: float | None) -> CollectedAnswer:
    """Collect files of result lines.

    The first path may be the folder of a campaign, or of a bundle. Without one, and for a bundle, the results make a
    new campaign at `out`. `confirm_s` is for how long a hang must be waited for in a new campaign that has no bundle.

    Raises:
        InputError: the paths or options do not fit each other, a file cannot be read, or no line is a result line.
        ResourceError: writing failed.
    """
    first, *rest = words
    paths = rest if first.is_dir() else list(words)
    if not paths:
        raise InputError(f"{first}: found a folder and no file, expected a file with result lines after it")
    files = [read_file(path) for path in paths]
    folder = _folder(first, files, out, confirm_s)
    settings = settings_in(folder)
    with lock_campaign(folder), open_store(folder) as store:
        reports = [collect(store, settings, file) for file in files]
    results = campaign_answer(folder)
    return CollectedAnswer(reports, campaign_status(results), results)


def _folder(first: Path, files: Sequence[ResultFile], out: Path | None, confirm_s: float | None) -> Path:
    """Return the folder of the campaign, which is made if it is new."""
    if confirm_s is not None and first.is_dir():
        raise InputError(f"--confirm cannot be combined with {first}, which says this itself; leave it out")
    if is_campaign(first):
        if out is not None:
            raise InputError(f"--out cannot be combined with the campaign {first}, which gets the results")
        return first
    if is_bundle(first):
        folder = out or first.with_name(f"{first.resolve().name}.campaign")
        if not is_campaign(folder):
            bundle, settings, tests = campaign_in(first)
            create(folder, settings, tests, more={"bundle": bundle})
        return folder
    if first.is_dir():
        raise InputError(f"{first}: this is the folder neither of a campaign nor of a bundle")
    if out is None:
        raise InputError(f"{first}: give the folder of a campaign or bundle before it, or --out for a new campaign")
    settings, tests, cells = campaign_of(files, _CONFIRM_S if confirm_s is None else confirm_s)
    create(out, settings, tests, cells=cells)
    return out
