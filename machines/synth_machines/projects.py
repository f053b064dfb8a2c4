"""Contexts and machines that belong together, and refer to each other by name.

    project = Project(read_components(text))
    machine = project.machine("kernel")

A component is checked when somebody first asks for it, after those that it refers to. Whatever is wrong with one leaves
the others alone, except those that refer to it. In a project *by parts*, whatever is wrong with a predicate or an event
leaves the other parts of its component alone (`omissions`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth_checker.errors import InputError
from synth_checker.nearest import unknown
from synth_machines.checked_components import CheckedContext, CheckedMachine
from synth_machines.components import Context, MachineComponent
from synth_machines.omissions import Omissions
from synth_machines.static_checks.contexts import checked_context
from synth_machines.static_checks.machines import checked_machine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from synth_machines.components import Component


class Project:
    """Components by their names. `problems` say why others can't be read, also by their names.

    `by_parts` says that parts which are not valid are left out of their components.

    Raises:
        InputError: two components have the same name.
    """

    def __init__(
        self, components: Iterable[Component], problems: Mapping[str, str] | None = None, *, by_parts: bool = False
    ) -> None:
        self.problems = dict(problems or {})
        self._by_parts = by_parts
        self.components: dict[str, Component] = {}
        for component in components:
            if component.name in self.components:
                raise InputError(f"{component.name}: found two components of this name, expected different names")
            self.components[component.name] = component
        self._checked: dict[str, CheckedContext | CheckedMachine] = {}
        self._open: list[str] = []

    def context(self, name: str) -> CheckedContext:
        """Return a context, checked.

        Raises:
            InputError: there is no such context, or something in it is not valid.
        """
        checked = self._component(name, "context", Context)
        assert isinstance(checked, CheckedContext)  # noqa: S101  (`_component` has looked)
        return checked

    def machine(self, name: str) -> CheckedMachine:
        """Return a machine, checked.

        Raises:
            InputError: there is no such machine, or something in it is not valid.
        """
        checked = self._component(name, "machine", MachineComponent)
        assert isinstance(checked, CheckedMachine)  # noqa: S101  (`_component` has looked)
        return checked

    def checked(self) -> Iterator[CheckedContext | CheckedMachine]:
        """Yield all components, checked, in the order in which they were given."""
        for name, component in self.components.items():
            yield self.context(name) if isinstance(component, Context) else self.machine(name)

    def valid(self, problems: dict[str, str]) -> Iterator[CheckedContext | CheckedMachine]:
        """Yield the components that are valid, checked. `problems` gets what is wrong with others, by their names."""
        problems |= self.problems
        for name, component in self.components.items():
            try:
                yield self.context(name) if isinstance(component, Context) else self.machine(name)
            except InputError as error:
                if name not in self.problems:
                    cause = next(other for other, problem in self.problems.items() if problem == str(error))
                    self.problems[name] = str(_no_reference(name, cause))
                problems[name] = self.problems[name]

    def _component(self, name: str, what: str, kind: type[Component]) -> CheckedContext | CheckedMachine:
        if name in self.problems:
            raise InputError(self.problems[name])
        component = self.components.get(name)
        if not isinstance(component, kind):
            known = [component.name for component in self.components.values() if isinstance(component, kind)]
            raise unknown(f"{self._open[-1]}: {what}" if self._open else what, name, known)
        if name not in self._checked:
            if name in self._open:
                circle = " -> ".join([*self._open[self._open.index(name) :], name])
                raise InputError(
                    f"{name}: found a circle ({circle}), expected a component that does not lead to itself"
                )
            self._open.append(name)
            try:
                self._checked[name] = self._check(component)
            except InputError as error:
                if str(error) not in self.problems.values():
                    self.problems[name] = str(error)
                raise
            finally:
                self._open.pop()
        return self._checked[name]

    def _check(self, component: Component) -> CheckedContext | CheckedMachine:
        omissions = Omissions(are_allowed=self._by_parts)
        for problem in component.left_out:
            with omissions.part():
                raise InputError(problem)
        if isinstance(component, Context):
            return checked_context(component, self._contexts(component.name, component.extends, omissions), omissions)
        abstract = None if component.refines is None else self.machine(component.refines)
        seen = self._contexts(component.name, component.sees, omissions)
        return checked_machine(component, abstract, seen, omissions)

    def _contexts(self, component: str, names: Iterable[str], omissions: Omissions) -> list[CheckedContext]:
        """Return the contexts that a component refers to."""
        contexts = []
        for name in names:
            with omissions.part():
                try:
                    contexts.append(self.context(name))
                except InputError as error:
                    if omissions.are_allowed and str(error) in self.problems.values():
                        raise _no_reference(component, name) from None
                    raise
        return contexts


def _no_reference(component: str, name: str) -> InputError:
    return InputError(f"{component}: found a reference to {name}, which is not valid")
