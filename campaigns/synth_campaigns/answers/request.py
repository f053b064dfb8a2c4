"""Find out which campaign a command asks for.

A user names a campaign file, the folder of a campaign, or a device and tests. The answer is the settings of the
campaign, its tests, and its folder.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from synth_backends.emission import litmus_tests
from synth_campaigns.campaign_file import read_settings
from synth_campaigns.folder import create, is_campaign, settings_in
from synth_checker.errors import InputError
from synth_litmus.inputs.programs import given_programs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synth_backends.litmus_test import LitmusTest
    from synth_campaigns.settings import Settings

_SUFFIX = ".campaign"


class CampaignRequest(NamedTuple):
    """A campaign that somebody asks for: what it shall do, its tests, and its folder, which need not exist."""

    settings: Settings
    tests: list[LitmusTest]
    folder: Path


def request_of_file(word: str, out: Path | None) -> CampaignRequest:
    """Return the campaign that a campaign file or a folder describes.

    The folder of a file `x.toml` is `x.campaign`, unless `out` names another.

    Raises:
        InputError: there is no such file or folder, or it is not valid.
    """
    path = Path(word)
    if path.is_dir():
        if out is not None:
            raise InputError(
                f"--out cannot be combined with the folder {word}, which itself holds the campaign; leave --out out"
            )
        settings = settings_in(path)
        return CampaignRequest(settings, tests_of(settings.suite), path)
    settings = read_settings(path, "a campaign file, or the folder of a campaign")
    return CampaignRequest(settings, tests_of(settings.suite), out or path.with_suffix(_SUFFIX))


def request_of_words(settings: Settings, out: Path | None) -> CampaignRequest:
    """Return the campaign that settings describe. Its folder has the name of the device, unless `out` names another."""
    name = "-".join(dict.fromkeys(run.device.partition(":")[0] for run in settings.runs))
    return CampaignRequest(settings, tests_of(settings.suite), out or Path(f"{name}{_SUFFIX}"))


def tests_of(suite: Sequence[str]) -> list[LitmusTest]:
    """Return the tests that words name, each once, with their verdicts.

    Raises:
        InputError: a word names no test.
    """
    return litmus_tests(program for word in suite for program in given_programs(word))


def prepare(request: CampaignRequest) -> Settings:
    """Make the folder of a campaign, or check that the folder holds the same campaign. Return its settings.

    Raises:
        InputError: the folder holds something else.
    """
    if not is_campaign(request.folder):
        create(request.folder, request.settings, request.tests)
        return settings_in(request.folder)
    there = settings_in(request.folder)
    if replace(there, suite=("",)) != replace(request.settings, suite=("",)) or set(there.suite) != {
        t.id for t in request.tests
    }:
        raise InputError(f"{request.folder}: this folder holds another campaign; choose another folder with --out")
    return there
