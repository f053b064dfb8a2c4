"""The command line: words in, words and an exit code out.

Each command is a small module that imports what it uses when it runs, so that `synth --help` loads no solver and no
native code. Exit codes are those of the definitions, section 8.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated, NoReturn

import typer

# Nothing else of ours may be imported here: see tests/workspace/test_startup.py.
from synth.cli import check, corpus, emit, enumerate_, show

app = typer.Typer(
    name="synth",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Progress litmus tests: all of them up to a size, their verdicts under progress models, and code to run them.",
    epilog="Example: synth enumerate --bounds 3x4",
)
app.command("enumerate", epilog=enumerate_.EXAMPLE)(enumerate_.enumerate_command)
app.command("check", epilog=check.EXAMPLE)(check.check_command)
app.command("show", epilog=show.EXAMPLE)(show.show_command)
app.command("emit", epilog=emit.EXAMPLE)(emit.emit_command)
app.add_typer(corpus.app, name="corpus")


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
    from synth_checker.errors import UserError

    code = 0
    try:
        code = app(args=words, prog_name="synth", standalone_mode=False) or 0
        sys.stdout.flush()
    except typer.TyperException as error:
        context = getattr(error, "ctx", None)
        where = context.command_path if context else "synth"
        message = error.format_message()
        if message:
            _say(f"{where}: {' '.join(message.split())} (see {where} --help)")
        code = error.exit_code
    except UserError as error:
        _say(f"synth: {error}")
        code = error.exit_code
    except BrokenPipeError:  # whoever read our output has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (KeyboardInterrupt, typer.Abort):
        _say("synth: interrupted")
        code = 130
    except MemoryError:
        _say("synth: out of memory, expected more of it or a smaller question")
        code = 3
    except Exception:  # noqa: BLE001  (a defect of ours, whatever it is; 1 would be an answer)
        import traceback

        traceback.print_exc()
        _say("synth: this is a defect of synth; please report it with the lines above")
        code = 70
    sys.exit(code)


def _say(line: str) -> None:
    typer.echo(" ".join(line.splitlines()), err=True)
