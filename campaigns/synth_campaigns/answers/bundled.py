"""Pack a campaign as a bundle, for a device of somebody else."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth_campaigns.bundle import BundlePart, bundle_settings, files_of_bundle, parts_of, put_bundle, put_zip
from synth_storage.files import put_file

if TYPE_CHECKING:
    from pathlib import Path

    from synth_campaigns.answers.request import CampaignRequest


class BundleAnswer(NamedTuple):
    """A bundle: its folder, its zip file if there is one, its parts, and how many tests each part has."""

    folder: str
    zip: str | None
    parts: list[BundlePart]
    tests: int


def make_bundle(request: CampaignRequest, out: Path, *, zipped: bool, force: bool) -> BundleAnswer:
    """Write a bundle into a folder, and as a zip file beside it if asked.

    Raises:
        InputError: a device has no programs for others, a target cannot emit a test, or the place is taken.
        LimitError: a test is too large for a target.
        ResourceError: writing failed.
    """
    settings = bundle_settings(request.settings)
    files = files_of_bundle(settings, request.tests, out.resolve().name)
    put_bundle(out, files, force=force)
    path = out.with_name(f"{out.resolve().name}.zip") if zipped else None
    if path is not None:
        put_file(path, lambda new: put_zip(new, files, out.resolve().name), force=force)
    return BundleAnswer(str(out), None if path is None else str(path), parts_of(settings), len(request.tests))
