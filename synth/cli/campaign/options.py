"""The options by which the commands of `synth campaign` take a campaign: a file, a folder, or a device and tests.

`takes_campaign` gives these options to a command. The function of the command takes what they ask for as one value.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

import typer

from synth.cli.shared.option_group import NEEDED, OptionValues, SharedOption, takes_options
from synth.cli.shared.question_options import words
from synth.cli.shared.vocabulary import completer
from synth_checker.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from synth_campaigns.answers.request import CampaignRequest
    from synth_campaigns.settings import LaunchSettings

#: The options that are keys of a part [[run]].
_OF_RUN = ("mappings", "instances", "stress", "stress_shape", "width", "busy", "expected")

Words: TypeAlias = Annotated[
    list[str],
    typer.Argument(
        metavar="WORDS",
        help="A campaign file or the folder of a campaign; or, with --device, tests: ids, names, files or corpora.",
        autocompletion=completer("corpora"),
    ),
]
DeviceNames: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--device", help="The device on which tests are run: {devices}.", metavar="DEVICE",
        autocompletion=completer("devices"),
    ),
]  # fmt: skip
Mappings: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--mapping",
        help="Which workgroup runs which thread: {mappings}.  [default: plain,round-robin,chunked]",
        metavar="MAPPING",
        autocompletion=completer("mappings"),
    ),
]
Instances: TypeAlias = Annotated[
    int | None, typer.Option(help="How many instances of a test run at once.  [default: as many as usual]", metavar="N")
]
Stress: TypeAlias = Annotated[
    str | None, typer.Option(help="How many workgroups only stress memory, or their share, such as 0.25.", metavar="N")
]
Shape: TypeAlias = Annotated[
    str | None, typer.Option("--stress-shape", help="How they stress it, as in `synth emit`.", metavar="SHAPE")
]
Width: TypeAlias = Annotated[
    int | None, typer.Option(help="How many threads a workgroup has at least.  [default: 1]", metavar="N")
]
BusyProcesses: TypeAlias = Annotated[
    int | None, typer.Option("--busy", help="How many processes keep processors busy meanwhile.", metavar="N")
]
LaunchCount: TypeAlias = Annotated[
    int | None, typer.Option("--launches", help="How often each test is launched.  [default: 20]", metavar="N")
]
Until: TypeAlias = Annotated[
    float | None,
    typer.Option(help="Launch until the rate of hangs is surely below R, or a launch hangs.", metavar="R"),
]
Timeout: TypeAlias = Annotated[
    float | None,
    typer.Option(help="After how many seconds a launch is given up.  [default: 2]", metavar="SECONDS"),
]
Confirm: TypeAlias = Annotated[
    float | None,
    typer.Option(
        help="The same for a launch whose hang would be the first against a verdict.  [default: 30]", metavar="SECONDS"
    ),
]
AfterHang: TypeAlias = Annotated[
    int | None, typer.Option(help="How many launches follow the first hang of a test.  [default: 4]", metavar="N")
]
Expected: TypeAlias = Annotated[
    str | None, typer.Option(help="Refuse a device whose description does not have TEXT in it.", metavar="TEXT")
]
Seed: TypeAlias = Annotated[
    int | None, typer.Option(help="The seed of the order in which cells run.  [default: 0]", metavar="N")
]
Out: TypeAlias = Annotated[
    Path | None, typer.Option(help="The folder of the campaign.  [default: named after the device]", metavar="DIR")
]

_Result = TypeVar("_Result")
#: The options by which a command takes a campaign, in the order in which its help lists them.
_OPTIONS: Mapping[str, object] = {
    "device": DeviceNames, "mapping": Mappings, "instances": Instances, "stress": Stress, "stress_shape": Shape,
    "width": Width, "busy": BusyProcesses, "launches": LaunchCount, "until": Until, "timeout": Timeout,
    "confirm": Confirm, "after_hang": AfterHang, "expected": Expected, "seed": Seed, "out": Out,
}  # fmt: skip


def takes_campaign(*, without: tuple[str, ...] = ()) -> Callable[[Callable[..., _Result]], Callable[..., _Result]]:
    """Return a decorator that gives a command the options of a campaign, but for some.

    The first parameter of the decorated function is the campaign that these options ask for.
    """
    options = {name: SharedOption(annotation) for name, annotation in _OPTIONS.items() if name not in without}
    return takes_options(SharedOption(Words, NEEDED), options, campaign_of_options)


def campaign_of_options(campaign_words: list[str], options: OptionValues) -> CampaignRequest:
    """Return the campaign that words and options ask for.

    Raises:
        InputError: they contradict each other, or one is not valid.
    """
    from synth_backends.target import stress_number
    from synth_campaigns.answers.request import request_of_file, request_of_words
    from synth_campaigns.settings import RunSettings, Settings

    chosen = {name: value for name, value in options.items() if value is not None}
    devices, out = chosen.pop("device", []), chosen.pop("out", None)
    if not devices:
        if len(campaign_words) != 1:
            number = len(campaign_words)
            raise InputError(
                f"found {number} words and no --device, expected one campaign file or folder, or a device and tests"
            )
        if chosen:
            option = f"--{next(iter(chosen)).replace('_', '-')}"
            raise InputError(
                f"{option} cannot be combined with a campaign file or folder, which says this itself; leave it out"
            )
        return request_of_file(campaign_words[0], out)
    if "mapping" in chosen:
        chosen["mappings"] = words(chosen.pop("mapping"))
    if "stress" in chosen:
        chosen["stress"] = stress_number(chosen["stress"])
    of_run = {key: chosen[key] for key in _OF_RUN if key in chosen}
    names = {
        "launches": "count",
        "until": "until",
        "timeout": "timeout_s",
        "confirm": "confirm_s",
        "after_hang": "after_hang",
    }
    of_launches = {field: chosen[key] for key, field in names.items() if key in chosen}
    settings = Settings(
        tuple(campaign_words),
        tuple(RunSettings(device, **of_run) for device in devices),
        _launches(of_launches),
        seed=chosen.get("seed", 0),
    )
    return request_of_words(settings, out)


def _launches(fields: dict[str, Any]) -> LaunchSettings:
    """Return how often each cell is launched. A message about a wrong number names the option."""
    from synth_campaigns.settings import LaunchSettings

    try:
        return LaunchSettings(**fields)
    except InputError as error:
        field, colon, rest = str(error).partition(":")
        option = {"count": "launches", "after_hang": "after-hang"}.get(field, field)
        raise InputError(f"--{option}{colon}{rest}") from error
