"""A page in a headless browser: the target `web`, in Chromium or a browser that is made of it.

    browser                 the GPU that the browser offers to pages, or SwiftShader if there is none
    browser:swiftshader     SwiftShader, which Chromium has with it

A page cannot stop what it has launched, and after a launch that hung a browser gives no page a device. So a browser
lives until a launch hangs. `synth_devices.browser_host` starts one and asks it to run tests.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from synth_backends.target import PAPER
from synth_backends.units import stems_of
from synth_checker.nearest import unknown
from synth_devices.device import Build
from synth_devices.emitted_device import emit_programs, version_line

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from synth_backends.litmus_test import LitmusTest
    from synth_backends.target import Choices

#: The variable that names the browser, and the names by which it is looked for.
VARIABLE = "CHROME_PATH"
_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
_FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",  # it listens nowhere
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-dev-shm-usage",  # containers have little of it
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--enable-unsafe-webgpu",
    "--enable-webgpu-developer-features",  # pages are told what the driver says of itself
    "--enable-features=Vulkan",
    "--disable-gpu-watchdog",  # it would end what takes longer than a few seconds
)
_ADAPTERS = ("swiftshader",)
#: How many tests share a page.
_PER_FILE = 50


class Browser:
    """Headless Chromium as a device: it runs tests by WebGPU.

    `adapter` is empty for the GPU that Chromium chooses, or `swiftshader` for the software GPU that ships with it.

    Raises:
        InputError: `adapter` is something else.
    """

    kind = "browser"
    target = "web"
    usual_workgroups = PAPER
    shows_flags = False
    decides = False
    has_lanes = True

    def __init__(self, adapter: str = "") -> None:
        if adapter and adapter not in _ADAPTERS:
            raise unknown("device browser", adapter, _ADAPTERS)
        self.name = f"browser:{adapter}" if adapter else "browser"
        self._flags = [*_FLAGS, *([f"--use-webgpu-adapter={adapter}"] if adapter else [])]
        if (
            hasattr(os, "geteuid") and os.geteuid() == 0
        ):  # Chromium has no sandbox for root, and does not start with one
            self._flags.append("--no-sandbox")

    def missing(self) -> str:
        """Return that there is no browser, if that is so."""
        problem = f"no browser is found: sudo apt install chromium, or set {VARIABLE} to where Chromium or Chrome is"
        return "" if _browser() else problem

    def build(self, tests: Sequence[LitmusTest], choices: Choices, folder: Path) -> Build:
        """Emit the tests as pages, and write down on which page each test is."""
        ordered = sorted(tests, key=lambda test: test.id)
        place, digest = emit_programs("web", ordered, replace(choices, per_file=_PER_FILE), folder)
        pages = {id_: f"{place.name}/{stem}.html" for id_, stem in stems_of(ordered, _PER_FILE).items()}
        (folder / "pages.json").write_text(json.dumps(pages, indent=1), "utf-8")
        browser = _browser() or _NAMES[0]
        command = (sys.executable, "-P", "-m", "synth_devices.browser_host", str(folder), browser, *self._flags)
        compiler = version_line([browser, "--version"])
        return Build("web", dict.fromkeys(pages, command), digest, compiler=compiler, serves=True, renews=True)


def _browser() -> str | None:
    """Where the browser is."""
    names = [os.environ[VARIABLE]] if os.environ.get(VARIABLE) else _NAMES
    return next(filter(None, map(shutil.which, names)), None)
