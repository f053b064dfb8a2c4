"""The command line: words in, words and an exit code out.

Each command is a small module that imports what it uses when it runs, so that `synth --help` loads no solver and no
native code. Exit codes are those of the definitions, section 8.
"""

from __future__ import annotations

import functools
import sys
import traceback
from copy import copy
from typing import Annotated, Any, NoReturn

import typer

# Nothing else of ours may be imported here: see tests/workspace/test_startup.py.
from synth.cli import (
    certify,
    check,
    corpus,
    crosscheck,
    emit,
    enumerate_,
    explain,
    find,
    job,
    lattice,
    lts,
    model,
    separate,
    show,
    shrink,
    suite,
)
from synth.cli.command import Command, Group, add_commands, message_of
from synth.cli.completion import answer, is_asked
from synth.cli.streams import drop_output, forgiving_streams, say
from synth_checker.errors import UserError
from synth_storage.refusals import is_of_a_resource, reason

EXIT_CODES = """\b
Exit codes:
  0    done, or the answer is yes
  1    the answer is no
  2    the call or an input is wrong
  3    a resource or a device failed
  70   a defect of synth
  75   stopped by a limit; what was found is kept, and the same command does it anew
  129, 130, 143  stopped by SIGHUP, SIGINT or SIGTERM, likewise"""


class _Interrupted(Exception):  # noqa: N818  (a wish, not a fault)
    """Ctrl-C in a command. Of `KeyboardInterrupt` typer makes an exit without a word."""


class _Commands(Group):
    """The commands, which say that they were interrupted."""

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401  (typer's own Context, which it does not publish)
        """Run the command that the words name."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise _Interrupted from error


app = typer.Typer(
    name="synth",
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Progress litmus tests: all of them up to a size, their verdicts under progress models, and code to run them.",
    epilog=f"{EXIT_CODES}\n\nExample: synth enumerate --bounds 3x4",
)
add_commands(
    app,
    ("enumerate", "Find all tests of a size, with their verdicts", enumerate_.enumerate_command, enumerate_.EXAMPLE),
    ("check", "Print the verdicts of programs and the rules that they break", check.check_command, check.EXAMPLE),
    ("show", "Print all that is known of one program", show.show_command, show.EXAMPLE),
    ("shrink", "Reduce a program to its minimal sub-programs", shrink.shrink_command, shrink.EXAMPLE),
    ("suite", "Choose a smallest conformance suite for a verdict", suite.suite_command, suite.EXAMPLE),
    ("find", "Find tests with given verdicts, the smallest first", find.find_command, find.EXAMPLE),
    ("separate", "Tell two verdicts apart by the smallest tests", separate.separate_command, separate.EXAMPLE),
    ("lattice", "Order verdicts by what they guarantee", lattice.lattice_command, lattice.EXAMPLE),
    ("explain", "Explain and prove one verdict of a program", explain.explain_command, explain.EXAMPLE),
    ("lts", "Write or draw the states that a program reaches", lts.lts_command, lts.EXAMPLE),
    ("emit", "Write tests as programs that run on devices", emit.emit_command, emit.EXAMPLE),
    ("certify", "Prove that a corpus has all tests of a size", certify.certify_command, certify.EXAMPLE),
    (
        "crosscheck",
        "Compare engines, and the C++ core with its twin",
        crosscheck.crosscheck_command,
        crosscheck.EXAMPLE,
    ),
)
app.add_typer(model.app, name="model")
app.add_typer(corpus.app, name="corpus")
app.add_typer(job.app, name="job")


def _begun_commands(ctx: typer.Context, incomplete: str) -> list[str]:
    """The commands that begin so, below those whose words come before."""
    below: object = _command("")
    for word in ctx.params.get("words") or ():
        below = getattr(below, "commands", {}).get(word)
    return [name for name in getattr(below, "commands", {}) if name.startswith(incomplete)]


@app.command("help", cls=Command, short_help="Print the help of a command", epilog="Example: synth help corpus diff")
def help_command(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND...", help="Which command.", autocompletion=_begun_commands),
    ] = None,
) -> int:
    """Print the help of a command, as the command itself does with --help."""
    words = words or []
    return _called([*words, "--help"])


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"synth {version('progress-synth')}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    pass


def main(words: list[str] | None = None) -> NoReturn:
    """Run the command line; a user's fault is one line on standard error."""
    with forgiving_streams():
        code = _run(words)
    sys.exit(code)


@functools.cache
def _command(name: str) -> Group:
    """The command line, with all that it knows or, if one of its commands or groups has this name, with that alone.

    To make them all takes longer than most commands do.
    """
    asked = copy(app)
    asked.registered_commands = [command for command in app.registered_commands if command.name == name]
    asked.registered_groups = [group for group in app.registered_groups if group.name == name]
    made = typer.main.get_command(asked if asked.registered_commands or asked.registered_groups else app)
    assert isinstance(made, Group)  # noqa: S101  (it has a callback)
    return made


def _called(words: list[str]) -> int:
    """Do what some words say; gives the exit code."""
    code: int = _command(words[0] if words else "")(args=words, prog_name="synth", standalone_mode=False) or 0
    return code


def _run(words: list[str] | None) -> int:
    words = sys.argv[1:] if words is None else words
    try:
        code = answer(_command(""), words) if is_asked(words) else _called(words)
        typer.echo(nl=False)  # flushes, while a failure can still be told
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
    except (KeyboardInterrupt, _Interrupted, typer.Abort):
        say("synth: interrupted")
        return 130
    # Whatever else it is: 1, with which Python would leave, is an answer. typer leaves where a pipe of ours breaks.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return _failed(error)
    return code


def _failed(error: BaseException) -> int:
    """Say what has ended a command unexpectedly: a resource that failed, or a defect of ours."""
    if isinstance(error, MemoryError):
        say("synth: out of memory, expected more of it or a smaller question")
        return 3
    if is_of_a_resource(error):
        drop_output()
        say(f"synth: {reason(error)}")
        return 3
    traceback.print_exception(error)
    say("synth: this is a defect of synth; please report it with the lines above")
    return 70
