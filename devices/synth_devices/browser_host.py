"""The program of the device `browser`. It starts a browser, and lets a page launch each test that it is asked for.

    python -m synth_devices.browser_host FOLDER BROWSER FLAG...

folder/
  pages.json   the page of each test
  profile/     where the browser keeps its files, made anew by each program
  browser.log  what the browser says

The browser is driven by the Chrome DevTools Protocol (https://chromedevtools.github.io/devtools-protocol/): messages in
JSON, each with a zero byte at its end. They go through two pipes, so the browser listens on no port. After a launch
that did not end, the program kills the browser. If the launch hung or lost the device, it runs the canary in a new
browser. If the canary ends, this browser gets the next request. Otherwise the program ends.

A browser may end by itself. If its page was not ready to launch the test, the program prints no result. Otherwise the
launch has failed: something broke after the program was ready.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlencode

from synth_checker.child import PATIENCE_S, adopt_orphans

#: A request, as `synth_devices.device` writes it.
_Request: TypeAlias = dict[str, Any]
#: The numbers of the files from which the browser reads messages, and to which it writes them.
_READS, _WRITES = 3, 4
#: The function that a page calls when it is ready to launch a test, with the result line as far as it is known.
_IS_READY = "synthIsReady"
#: Runs the tests that the address of the page names, or the canary.
_CANARY = "runOnDevice(canary, 1, 0, 1, {{ iterations: 1, timeout: {} }}).then((line) => JSON.stringify(line))"
_RUN = 'runAll().then(() => JSON.stringify({ lines: results, state: element("state").textContent }))'


class BrowserError(Exception):
    """The browser has ended, or does not do what it is told."""


class BrowserProcess:
    """A running browser with an empty page. Files that it makes are in `folder`."""

    def __init__(self, command: list[str], folder: Path) -> None:
        profile = folder / "profile"
        shutil.rmtree(profile, ignore_errors=True)
        profile.mkdir()
        log = folder / "browser.log"
        self._log, self._heard, self._asked, self._loaded = log, b"", 0, ""
        self._ready, self._since = "", 0.0
        from_here, self._messages = os.pipe()
        self._answers, to_here = os.pipe()
        copies = [fcntl.fcntl(pipe, fcntl.F_DUPFD_CLOEXEC, 10) for pipe in (from_here, to_here)]
        os.chdir(profile)
        self._pid = os.posix_spawnp(
            command[0],
            [*command, f"--user-data-dir={profile}"],
            {**os.environ, "TMPDIR": "."},  # the path of a socket that it makes there must be short
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, str(log), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644),
                (os.POSIX_SPAWN_DUP2, 1, 2),
                (os.POSIX_SPAWN_DUP2, copies[0], _READS),
                (os.POSIX_SPAWN_DUP2, copies[1], _WRITES),
            ],
        )
        for pipe in (from_here, to_here, *copies):
            os.close(pipe)
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Runtime.enable", self._session)
        self._call("Runtime.addBinding", self._session, name=_IS_READY)
        self._call("Page.enable", self._session)
        self._call("Page.setLifecycleEventsEnabled", self._session, enabled=True)

    def run(self, page: Path, test: str, launches: int, timeout_s: int, first: int) -> str:
        """Let a page run a test. Return its result line.

        If the browser breaks after the page was ready to launch the test, the line says that a launch failed.
        """
        self._load(page, {"no-canary": "", "iterations": launches, "timeout": timeout_s, "ids": test, "first": first})
        self._ready = ""
        try:
            said = json.loads(self._value_of(_RUN))
        except BrowserError as error:
            if not self._ready:
                raise
            seconds = [round(time.monotonic() - self._since, 6)]
            return json.dumps(json.loads(self._ready) | {"iteration": 1, "seconds": seconds, "reason": str(error)})
        if not said["lines"]:
            raise BrowserError(said["state"])
        return str(said["lines"][0])

    def run_canary(self, page: Path, timeout_s: int) -> str:
        """Let a page run its canary. Return its result line."""
        self._load(page, {})
        return self._value_of(_CANARY.format(timeout_s))

    def close(self) -> None:
        """Kill the browser, and wait until nothing of it is there."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)
        kill_descendants()
        os.close(self._messages)
        os.close(self._answers)

    def _load(self, page: Path, words: dict[str, Any]) -> None:
        address = f"{page.as_uri()}?{urlencode(words)}"
        loading = self._call("Page.navigate", self._session, url=address)["loaderId"]
        while self._loaded != loading:
            self._take()

    def _value_of(self, expression: str) -> str:
        """What an expression of the page comes to, which is a promise of a text."""
        call = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = self._call("Runtime.evaluate", self._session, **call)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"]["exception"]["description"].splitlines()[0])
        return str(answer["result"]["value"])

    def _call(self, method: str, session: str = "", **parameters: Any) -> dict[str, Any]:  # noqa: ANN401
        """Tell the browser to do something, and return its answer."""
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": parameters}
        with contextlib.suppress(BrokenPipeError):  # the browser has ended, which is seen when it is listened to
            os.write(self._messages, json.dumps(message | ({"sessionId": session} if session else {})).encode() + b"\0")
        while (answer := self._take()).get("id") != self._asked:
            pass
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _take(self) -> dict[str, Any]:
        """Return the next message of the browser. Note which page has been loaded, and whether it is ready."""
        while b"\0" not in self._heard:
            read = os.read(self._answers, 1 << 16)
            if not read:
                last = self._log.read_text("utf-8", "replace").strip().splitlines()[-1:]
                raise BrowserError(f"the browser has ended: {''.join(last)}; {self._log} has everything that it said")
            self._heard += read
        text, _, self._heard = self._heard.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        if message.get("method") == "Page.lifecycleEvent" and message["params"]["name"] == "load":
            self._loaded = message["params"]["loaderId"]
        if message.get("method") == "Runtime.bindingCalled" and message["params"]["name"] == _IS_READY:
            self._ready, self._since = message["params"]["payload"], time.monotonic()
        return message


def kill_descendants() -> None:
    """Kill all processes that have come of this one, and wait until they are gone, on Linux.

    What loses its parent becomes a child of this process, so there are only children to look for.
    """
    end = time.monotonic() + PATIENCE_S
    with contextlib.suppress(ChildProcessError):  # there is no child
        while time.monotonic() < end:
            for stat in Path("/proc").glob("[0-9]*/stat"):
                with contextlib.suppress(OSError):
                    if int(stat.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                        os.kill(int(stat.parent.name), signal.SIGKILL)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            time.sleep(0.01)


def answer_all(folder: Path, command: list[str]) -> None:
    """Answer each line of standard input, until a launch fails or the canary does not end."""
    pages = json.loads((folder / "pages.json").read_text("utf-8"))
    stopped: _Request | None = None
    while True:
        with contextlib.closing(BrowserProcess(command, folder)) as browser:
            if stopped is not None and not _canary_ends(browser, folder / pages[stopped["id"]], stopped["timeout_s"]):
                return
            stopped = _first_that_stops(browser, folder, pages)
        if stopped is None:
            return


def _canary_ends(browser: BrowserProcess, page: Path, timeout_s: int) -> bool:
    line = browser.run_canary(page, timeout_s)
    print(line, flush=True)  # noqa: T201  (it is how it answers)
    return bool(json.loads(line)["result"] == "terminated")


def _first_that_stops(browser: BrowserProcess, folder: Path, pages: dict[str, str]) -> _Request | None:
    """Answer requests until a launch hangs or loses the device, and return that request.

    Return None if there are no more requests, or if a launch failed in another way.
    """
    for text in sys.stdin:
        request: _Request = json.loads(text)
        test = request["id"]
        if test not in pages:
            raise BrowserError(f"found {test}, expected the id of a test")
        first = request.get("first", 0)
        line = browser.run(folder / pages[test], test, request["iterations"], request["timeout_s"], first)
        print(line, flush=True)  # noqa: T201
        result = json.loads(line)["result"]
        if result != "terminated":
            return request if result in {"hung", "lost"} else None
    return None


def main() -> None:
    """Start a browser, and answer."""
    adopt_orphans()
    try:
        answer_all(Path(sys.argv[1]).resolve(), sys.argv[2:])
    except (BrowserError, OSError) as error:
        print(error, file=sys.stderr)  # noqa: T201
        sys.exit(3)
    finally:
        kill_descendants()


if __name__ == "__main__":
    main()
