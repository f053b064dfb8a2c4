"""The command line: words in, words and an exit code out.

Each command is a small module that imports what it uses when it runs, so that `synth --help` loads no solver and no
native code. Exit codes are those of the definitions, section 8.
"""

from __future__ import annotations

import functools
import sys
from copy import copy
from typing import Annotated, NoReturn

import typer
from typer.core import TyperGroup

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
from synth.cli.streams import drop_output, forgiving_streams, shown

EXIT_CODES = """\b
Exit codes:
  0    done, or the answer is yes
  1    the answer is no
  2    the call or an input is wrong
  3    a resource or a device failed
  70   a defect of synth
  75   stopped by a limit; what was found is kept, and the same command does it anew
  129, 130, 143  stopped by SIGHUP, SIGINT or SIGTERM, likewise"""

app = typer.Typer(
    name="synth",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Progress litmus tests: all of them up to a size, their verdicts under progress models, and code to run them.",
    epilog=f"{EXIT_CODES}\n\nExample: synth enumerate --bounds 3x4",
)
app.command("enumerate", epilog=enumerate_.EXAMPLE)(enumerate_.enumerate_command)
app.command("check", epilog=check.EXAMPLE)(check.check_command)
app.command("show", epilog=show.EXAMPLE)(show.show_command)
app.command("shrink", epilog=shrink.EXAMPLE)(shrink.shrink_command)
app.command("suite", epilog=suite.EXAMPLE)(suite.suite_command)
app.command("find", epilog=find.EXAMPLE)(find.find_command)
app.command("separate", epilog=separate.EXAMPLE)(separate.separate_command)
app.command("lattice", epilog=lattice.EXAMPLE)(lattice.lattice_command)
app.command("explain", epilog=explain.EXAMPLE)(explain.explain_command)
app.command("lts", epilog=lts.EXAMPLE)(lts.lts_command)
app.command("emit", epilog=emit.EXAMPLE)(emit.emit_command)
app.command("certify", epilog=certify.EXAMPLE)(certify.certify_command)
app.command("crosscheck", epilog=crosscheck.EXAMPLE)(crosscheck.crosscheck_command)
app.add_typer(model.app, name="model")
app.add_typer(corpus.app, name="corpus")
app.add_typer(job.app, name="job")


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
def _command(name: str) -> TyperGroup:
    """The command line, with all that it knows or, if one of its commands or groups has this name, with that alone.

    To make them all takes longer than most commands do.
    """
    asked = copy(app)
    asked.registered_commands = [command for command in app.registered_commands if command.name == name]
    asked.registered_groups = [group for group in app.registered_groups if group.name == name]
    made = typer.main.get_command(asked if asked.registered_commands or asked.registered_groups else app)
    assert isinstance(made, TyperGroup)  # noqa: S101  (it has a callback)
    return made


def _run(words: list[str] | None) -> int:
    from synth_checker.errors import UserError

    words = sys.argv[1:] if words is None else words
    try:
        code: int = _command(words[0] if words else "")(args=words, prog_name="synth", standalone_mode=False) or 0
        typer.echo(nl=False)  # flushes, while a failure can still be told
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "synth"
        message = error.format_message()
        if message:
            _say(f"{where}: {' '.join(message.split())} (see {where} --help)")
        return error.exit_code
    except UserError as error:
        _say(f"synth: {error}")
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        _say("synth: interrupted")
        return 130
    # Whatever else it is: 1, with which Python would leave, is an answer. typer leaves where a pipe of ours breaks.
    except (Exception, SystemExit) as error:  # noqa: BLE001
        return _failed(error)
    return code


def _failed(error: BaseException) -> int:
    """Say what has ended a command unexpectedly: a resource that failed, or a defect of ours."""
    if isinstance(error, MemoryError):
        _say("synth: out of memory, expected more of it or a smaller question")
        return 3
    from synth_corpus.refusals import is_of_a_resource, reason

    if is_of_a_resource(error):
        drop_output()
        _say(f"synth: {reason(error)}")
        return 3
    import traceback

    traceback.print_exception(error)
    _say("synth: this is a defect of synth; please report it with the lines above")
    return 70


def _say(line: str) -> None:
    typer.echo(shown(" ".join(line.splitlines())), err=True)
