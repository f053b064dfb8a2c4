"""Objects that show themselves in notebooks, as HTML and as SVG.

A notebook asks an object by the methods `_repr_html_` and `_repr_svg_`, which IPython defines. What these give needs
packages that stand above this one. So such a package names its module by `show_with`, and that module is loaded when a
notebook asks for the first time. Without it, a notebook shows the `repr` of an object.
"""

from __future__ import annotations

import importlib
from typing import Protocol, cast


class Views(Protocol):
    """The functions of a module that shows objects. None means that there is nothing to show."""

    def html_of(self, object_: object) -> str | None:
        """Return an object as a part of an HTML page."""

    def svg_of(self, object_: object) -> str | None:
        """Return a drawing of an object as SVG."""


_modules: list[str] = []


def show_with(module: str) -> None:
    """Have a module, given by its name, show objects."""
    _modules[:] = [module]


class NotebookObject:
    """The base class of objects that show themselves in notebooks."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return _views().html_of(self) if _modules else None

    def _repr_svg_(self) -> str | None:
        return _views().svg_of(self) if _modules else None


def _views() -> Views:
    return cast("Views", importlib.import_module(_modules[0]))
