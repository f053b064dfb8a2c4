"""The command line: it takes words, prints an answer, and exits with an exit code.

Each command is a small module that imports what it needs only when it runs. So `synth --help` loads no solver and no
compiled code. `synth --help` explains the exit codes.
"""

from __future__ import annotations

import errno
import functools
import sys
import traceback
from typing import Annotated, Any, NoReturn

import typer

# Nothing else of this project may be imported here: see tests/workspace/test_startup.py.
from synth.cli.shared.command_class import SynthCommand, SynthGroup, message_of
from synth.cli.shared.command_list import COMMANDS, GROUPS, SECTIONS, add_command, add_group, add_names
from synth.cli.shared.completion import answer, is_completion
from synth.cli.shared.streams import drop_output, forgiving_streams, say
from synth_checker.errors import UserError
from synth_storage.refusals import is_of_a_resource, reason, unicode_refusal

EXIT_CODES = """\b
Exit codes:
  0    Done, or the answer is yes.
  1    The answer is no.
  2    The call or an input is wrong.
  3    A resource or a device failed.
  70   There is a defect in synth.
  75   A limit has stopped the command. It has saved or printed the tests found so far; call it again to go on.
  129, 130, 143  SIGHUP, SIGINT or SIGTERM has stopped the command, as a limit does (75)."""


HELP = ["-h", "--help"]


class Interrupted(Exception):  # noqa: N818  (the user asked for it, so it is no error)
    """Raised for Ctrl-C in a command, because typer would exit without a message on `KeyboardInterrupt`."""


class _Commands(SynthGroup):
    """The group of all commands, which turns Ctrl-C into `Interrupted`."""

    sections = SECTIONS

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401  (typer's own Context, which it does not publish)
        """Run the command that the words of the command line name."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Interrupted from error


def _matching_commands(ctx: typer.Context, incomplete: str) -> list[str]:
    """Return the commands that begin with some letters, in the group that the words before them name."""
    below: object = command_line()
    for word in ctx.params.get("words") or ():
        below = getattr(below, "commands", {}).get(word)
    return [name for name in getattr(below, "commands", {}) if name.startswith(incomplete)]


def _help_command(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND...", help="The command, such as corpus diff.", autocompletion=_matching_commands
        ),
    ] = None,
) -> int:
    """Print the help of a command, like the command itself with --help."""
    words = words or []
    return run_words([*words, "--help"])


def _print_version(is_asked_for: bool) -> None:
    if is_asked_for:
        from importlib.metadata import version

        typer.echo(f"synth {version('progress-synth')}")
        raise typer.Exit


def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


#: The error numbers by which a system refuses the path that a user gave, wherever it is first looked at.
_OF_A_NAME = {errno.EACCES, errno.ENAMETOOLONG, errno.EPERM, errno.EROFS}
#: Of a longer path, a message has only the beginning.
_LONG = 200


def main(words: list[str] | None = None, *, begun: float | None = None) -> NoReturn:
    """Run the command line and exit; an error of the user becomes one line on standard error.

    `begun` is the time of the clock that only goes forward at which the process began, if it is known. A command finds
    it in `typer.Context.obj`.
    """
    with forgiving_streams():
        code = _run(words, begun)
    sys.exit(code)


def command_line(name: str = "") -> SynthGroup:
    """Return the command line with only the command or group of a given name, or with all commands.

    The command line of the name `--help` has all commands, but can only list them.
    """
    return _command_line(name if name in {*COMMANDS, *GROUPS, *HELP, "help"} else "")


@functools.cache
def _command_line(name: str) -> SynthGroup:
    app = typer.Typer(
        name="synth",
        cls=_Commands,
        context_settings={"help_option_names": HELP},
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        help="Progress litmus tests: all of them up to a size, their verdicts under progress models, and code to run "
        "them.",
        epilog=f"{EXIT_CODES}\n\nExample: synth enumerate 3x4",
    )
    app.callback()(_options)
    is_list = name in HELP
    has_all = not name
    if is_list:
        add_names(app, COMMANDS)
    for command in COMMANDS if has_all else COMMANDS.keys() & {name}:
        add_command(app, command)
    if is_list or has_all or name == "help":
        about = "Print the help of a command"
        app.command("help", cls=SynthCommand, short_help=about, epilog="Example: synth help corpus diff")(_help_command)
    if is_list:
        add_names(app, GROUPS)
    for group in GROUPS if has_all else GROUPS.keys() & {name}:
        add_group(app, group)
    commands = typer.main.get_command(app)
    assert isinstance(commands, SynthGroup)  # noqa: S101  (an app with a callback is always a group)
    return commands


def run_words(words: list[str], begun: float | None = None) -> int:
    """Run the command that some words name, and return its exit code."""
    words = words or ["--help"]
    command = command_line(words[0])
    code: int = command(args=words, prog_name="synth", standalone_mode=False, obj=begun) or 0
    return code


def _run(words: list[str] | None, begun: float | None) -> int:
    words = sys.argv[1:] if words is None else words
    try:
        code = answer(command_line(), words) if is_completion(words) else run_words(words, begun)
        typer.echo(nl=False)  # flushes the output, while a failure can still be reported
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "synth"
        message = message_of(error)
        if message:
            say(f"{where}: {' '.join(message.split())} (see {where} --help)")
        return error.exit_code
    except UserError as error:
        say(f"synth: {error}")
        return error.exit_code
    except (KeyboardInterrupt, Interrupted, typer.Abort):
        say("synth: interrupted")
        return 130
    # Any other error. Python would exit with status 1, which is an answer here. typer exits when a pipe breaks.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return _report_failure(error)
    return code


def _report_failure(error: BaseException) -> int:
    """Report what has ended a command unexpectedly, a failed resource or a defect; return the exit code."""
    if isinstance(error, MemoryError):
        say("synth: out of memory; use smaller bounds or a machine with more memory")
        return 3
    if is_of_a_resource(error):
        drop_output()
        say(f"synth: {reason(error)}")
        return 3
    if isinstance(error, OSError) and error.errno in _OF_A_NAME and error.filename is not None:
        name = str(error.filename)
        say(f"synth: {name if len(name) <= _LONG else f'{name[:_LONG]}…'}: {reason(error)}; give another path")
        return 2
    if isinstance(error, UnicodeEncodeError) and error.encoding == "utf-8":
        say(f"synth: {unicode_refusal(error)}")
        return 2
    traceback.print_exception(error)
    say("synth: this is a defect of synth; please report it with the lines above")
    return 70
