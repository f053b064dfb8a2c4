"""Commands that tell one answer: as lines of text, as a document in HTML or Markdown, or as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from synth.cli.shared.answer_print import print_json, print_lines
from synth.cli.shared.output_files import check_force, put_text
from synth_checker.errors import InputError
from synth_checker.nearest import check_known
from synth_documents.phrases import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from synth_documents.document import Document

FORMATS = ("text", "html", "markdown")


class AnswerOutput(NamedTuple):
    """How to tell an answer, as `--format`, `--out`, `--force` and `--json` say."""

    form: str
    out: Path | None
    force: bool
    as_json: bool

    def check(self) -> None:
        """Refuse options that are wrong, before any work.

        Raises:
            InputError: the format has no such name, options contradict each other, or the file exists.
        """
        from synth_storage.files import check_file

        check_known("format", self.form, FORMATS)
        check_force(self.out, force=self.force)
        if self.as_json and (self.form != "text" or self.out is not None):
            raise InputError("--json prints JSON; leave it out to have another format, or to write a file with --out")
        if self.out is not None:
            check_file(self.out, force=self.force)

    def tell(
        self,
        lines: Callable[[], Iterable[str]],
        document: Callable[[], Document],
        answer: Callable[[], object],
    ) -> None:
        """Tell an answer in the form that is asked for."""
        if self.as_json:
            print_json(answer())
        elif self.form == "text" and self.out is None:
            print_lines(lines())
        else:
            put_text(self._written(lines, document), self.out, force=self.force)

    def _written(self, lines: Callable[[], Iterable[str]], document: Callable[[], Document]) -> str:
        from synth_documents.html import html_of
        from synth_documents.markdown import markdown_of

        if self.form == "text":
            return "".join(f"{shown(line)}\n" for line in lines())
        return html_of(document()) if self.form == "html" else markdown_of(document(), {})
