"""Read components from text, in the form of Camille, and in the order that CamilleX writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

from synth_checker.errors import InputError, quoted
from synth_checker.nearest import hint
from synth_machines.components import (
    Action,
    Context,
    Identifier,
    LabelledPredicate,
    MachineComponent,
    MachineEvent,
    MachineVariant,
)
from synth_machines.formulas.parser import FormulaReader
from synth_machines.formulas.tokens import tokens_of
from synth_machines.texts.assignments import assignment
from synth_machines.texts.comments import Comments, joined_comments
from synth_machines.texts.keywords import CLAUSES, KEYWORDS, STATUSES

if TYPE_CHECKING:
    from collections.abc import Callable

    from synth_machines.components import Component, Status

    _Part = TypeVar("_Part")


def read_components(text: str) -> list[Component]:
    """Read all contexts and machines of a text.

    Raises:
        InputError: the text has something else; the message says in which line.
    """
    return _ComponentReader(text).components()


class _ComponentReader(FormulaReader):
    def __init__(self, text: str) -> None:
        self._comments = Comments(tokens_of(text))
        super().__init__(self._comments.tokens, KEYWORDS)

    def components(self) -> list[Component]:
        components_read: list[Component] = []
        while self.next.kind != "end":
            match self._keyword("context", "machine"):
                case "context":
                    components_read.append(self._context())
                case _:
                    components_read.append(self._machine())
        if not components_read:
            raise self.fail("context or machine")
        return components_read

    def _is_keyword(self, *words: str) -> bool:
        return self.next.kind == "name" and not self.next.is_quoted and self.next.text.lower() in words

    def _keyword(self, *words: str) -> str:
        """Take one of some key words, or raise InputError."""
        if not self._is_keyword(*words):
            hinted = hint(self.next.text.lower(), words) if self.next.kind == "name" else ""
            shown = "the end of the text" if self.next.kind == "end" else quoted(self.next.text)
            raise InputError(f"{self.next.place}: found {shown}{hinted}, expected {' or '.join(words)}")
        return self.take().text.lower()

    def _comment(self) -> str:
        return self._comments.take_until(self.position)

    def _names(self) -> tuple[str, ...]:
        """Take names with spaces or commas between them."""
        titles = [self._title("a name")]
        while self.is_name_next or self.next.kind == "words":
            titles.append(self._title("a name"))
        return tuple(titles)

    def _title(self, expected: str) -> str:
        """Take the name of an event or a component: a name, or any words between backticks."""
        return self.take().text if self.next.kind == "words" else self.name(expected)

    def _identifiers(self) -> tuple[Identifier, ...]:
        identifiers: list[Identifier] = []
        while self.is_name_next:
            line, name = self.next.line, self.name("a name")
            if self.is_next(","):
                self.take()
            identifiers.append(Identifier(name, self._comment(), line))
        return tuple(identifiers)

    def _parts(self, part: Callable[[], _Part]) -> tuple[_Part, ...]:
        """Take parts that begin with a label, or with `theorem`."""
        parts = []
        while self.next.kind == "label" or self._is_keyword("theorem"):
            parts.append(part())
        return tuple(parts)

    def _label(self) -> str:
        if self.next.kind != "label":
            raise self.fail("a label such as @inv1")
        return self.take().text

    def _labelled(self) -> LabelledPredicate:
        line, is_theorem = self.next.line, self._is_keyword("theorem")
        if is_theorem:
            self.take()
        label = self._label()
        predicate = self.predicate()
        return LabelledPredicate(label, predicate, is_theorem, self._comment(), line)

    def _action(self) -> Action:
        line = self.next.line
        label = self._label()
        change = assignment(self)
        return Action(label, change, self._comment(), line)

    def _context(self) -> Context:
        line, name = self.next.line, self._title("the name of the context")
        extends: tuple[str, ...] = ()
        if self._is_keyword("extends"):
            self.take()
            extends = self._names()
        comment = self._comment()
        sets: tuple[Identifier, ...] = ()
        constants: tuple[Identifier, ...] = ()
        axioms: tuple[LabelledPredicate, ...] = ()
        while (clause := self._keyword("sets", "constants", "axioms", "end")) != "end":
            match clause:
                case "sets":
                    sets += self._identifiers()
                case "constants":
                    constants += self._identifiers()
                case _:
                    axioms += self._parts(self._labelled)
        comment = joined_comments(comment, self._last_comment())
        return Context(name, extends, sets, constants, axioms, comment, line)

    def _last_comment(self) -> str:
        """Return the comments before an `end`; at the end of the text, those behind it, too."""
        return self._comments.rest() if self.next.kind == "end" else self._comment()

    def _machine(self) -> MachineComponent:
        line, name = self.next.line, self._title("the name of the machine")
        refines = None
        sees: tuple[str, ...] = ()
        while self._is_keyword("refines", "sees"):
            if self._keyword("refines", "sees") == "sees":
                sees += self._names()
            else:
                refines = self._title("the name of the abstract machine")
        comment = self._comment()
        variables: tuple[Identifier, ...] = ()
        invariants: tuple[LabelledPredicate, ...] = ()
        variant = None
        events: list[MachineEvent] = []
        while (clause := self._keyword(*CLAUSES["machine"][2:], "end")) != "end":
            match clause:
                case "variables":
                    variables += self._identifiers()
                case "invariants":
                    invariants += self._parts(self._labelled)
                case "variant":
                    variant = self._variant(variant)
                case _:
                    while self._is_keyword("event", *STATUSES):
                        events.append(self._event())
        comment = joined_comments(comment, self._last_comment())
        return MachineComponent(name, refines, sees, variables, invariants, variant, tuple(events), comment, line)

    def _variant(self, before: MachineVariant | None) -> MachineVariant:
        if before is not None:
            raise self.fail("at most one variant")
        if self.next.kind == "label":
            self.take()
        line, expression = self.next.line, self.expression()
        return MachineVariant(expression, self._comment(), line)

    def _event(self) -> MachineEvent:
        line = self.next.line
        status = self._keyword(*STATUSES) if self._is_keyword(*STATUSES) else "ordinary"
        self._keyword("event")
        label = self._title("the name of the event")
        refines: tuple[str, ...] = ()
        is_extended = False
        while self._is_keyword("extends", "refines", "status"):
            match self._keyword("extends", "refines", "status"):
                case "status":
                    status = self._keyword(*STATUSES)
                case word:
                    is_extended = is_extended or word == "extends"
                    refines += self._names()
        comment = self._comment()
        parameters: tuple[Identifier, ...] = ()
        guards: tuple[LabelledPredicate, ...] = ()
        witnesses: tuple[LabelledPredicate, ...] = ()
        actions: tuple[Action, ...] = ()
        while (clause := self._keyword(*CLAUSES["event"][3:], "end")) != "end":
            match clause:
                case "any":
                    parameters += self._identifiers()
                case "where" | "when":
                    guards += self._parts(self._labelled)
                case "with" | "witness":
                    witnesses += self._parts(self._labelled)
                case _:
                    actions += self._parts(self._action)
        comment = joined_comments(comment, self._comment())
        kind = cast("Status", status)
        return MachineEvent(label, kind, refines, is_extended, parameters, guards, witnesses, actions, comment, line)
