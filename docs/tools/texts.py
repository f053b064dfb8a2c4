"""The prose of the repository as pieces of text: paragraphs of documents, docstrings, and messages.

markdown-it reads the documents and the docstrings. A piece is one paragraph, list item, heading or table cell. Code
blocks are left out, and the text of inline code is kept between backticks. A message is a string of at least four words
in the syntax tree that is not a docstring: it is raised, printed, or the help of an option.

A message has the form in which the user reads it, as far as the code shows it in one place. A text that has a name and
is put into another text stands there, and not on its own. A phrase that a function writes after `expected` stands
there.
"""

from __future__ import annotations

import ast
import copy
import inspect
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
PAGES = ("*.md", "docs/*/*.md")
GENERATED = "<!-- Written by `make"
#: The folders of the packages.
PACKAGES = (
    "analysis/synth_analysis",
    "backends/synth_backends",
    "checker/synth_checker",
    "corpus/synth_corpus",
    "encodings/synth_encodings",
    "devices/synth_devices",
    "campaigns/synth_campaigns",
    "explorer/synth_explorer",
    "kernels/synth_kernels",
    "machines/synth_machines",
    "solvers/synth_solvers",
    "documents/synth_documents",
    "workers/synth_workers",
    "litmus/synth_litmus",
    "search/synth_search",
    "jobs/synth_jobs",
    "storage/synth_storage",
    "synth",
)
#: A word between spaces; names such as `SLURM_JOB_ID` and pieces of code are none.
WORD = re.compile(r"(?<![^\s(\"'])[A-Za-z][A-Za-z'-]*(?=[\s.,:;!?)\"']|$)")
#: A string with fewer words is no message; the values that are put in do not count.
FEWEST = 4
VALUE = re.compile(r"\{[^}]*\}")
#: What is no prose: a query, a pattern, the first line of a script, what `repr` shows, a command as an example, a type,
#: and lines of the programs that synth writes.
CODE = re.compile(
    r"^(?:#!|SELECT |CREATE |INSERT |COPY |CASE WHEN |FORMAT |import |from |read_|<|/\*|str \| |Example: )"
    r"|[(\[]\?[:P=!<]|\\[bdsw]|\(\.\*\)| := |:: |\bend if\b"
)
#: The functions that write a phrase after `expected`: its place among the arguments, and what stands before it.
EXPECTING = {
    "check_type": (3, "{what}: found {found}, expected "),
    "fail": (0, "{line}: found {word}, expected "),
    "unknown": (3, "{what}: found {word}, expected "),
    "refusal": (2, "{place}: {reason}, expected "),
    "as_user_errors": (1, "{place}: {reason}, expected "),
}


@dataclass(frozen=True)
class Piece:
    """A piece of text, and where it stands.

    `owner` is what a docstring describes, with its signature, or the function in which a message stands.
    """

    path: str
    line: int
    text: str
    kind: str = "paragraph"
    owner: str = ""

    @property
    def place(self) -> str:
        """The path and the line."""
        return f"{self.path}:{self.line}"


def _inline(token: Token) -> str:
    """The text of a paragraph without its marks; inline code keeps its backticks, a line break is a space."""
    words = []
    for child in token.children or ():
        match child.type:
            case "code_inline":
                words.append(f"`{child.content}`")
            case "softbreak" | "hardbreak":
                words.append(" ")
            case "text":
                words.append(child.content)
    return "".join(words)


def of_markdown(text: str, path: str, first_line: int = 1) -> Iterator[Piece]:
    """The pieces of a text in Markdown, in order."""
    container, line = "", 0
    for token in MarkdownIt().enable("table").parse(text):
        if token.type in {"heading_open", "paragraph_open", "th_open", "td_open"}:
            container = token.type
        if token.map:
            line = token.map[0]
        if token.type == "inline" and (found := _inline(token).strip()):
            kind = "paragraph" if container == "paragraph_open" else "part"
            yield Piece(path, first_line + line, found, kind)


@cache
def _parsed(package: str, root: Path) -> list[tuple[str, ast.Module]]:
    """The modules of a package, each with its path from the root."""
    paths = sorted((root / package).rglob("*.py"))
    return [(path.relative_to(root).as_posix(), ast.parse(path.read_text("utf-8"))) for path in paths]


def _module(path: str) -> str:
    """The name of the module in a file, such as `synth_checker.models.expression`."""
    parts = Path(path).with_suffix("").parts
    first = next((number for number, part in enumerate(parts) if part.startswith("synth")), 0)
    return ".".join(part for part in parts[first:] if part != "__init__")


def _documented(
    name: str, tree: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
) -> Iterator[tuple[str, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]]:
    """A module, class or function with this name, and what is public in it, with names."""
    yield name, tree
    for node in [] if isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef)) else tree.body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and not node.name.startswith("_"):
            yield from _documented(f"{name}.{node.name}", node)


class _WithoutNotes(ast.NodeTransformer):
    """Replaces `Annotated[T, ...]` by `T`: the notes of an option are messages, and drawn on their own."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node:
            case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[kind, *_])):
                return kind
        return self.generic_visit(node)


def _signature(node: ast.AST) -> str:
    """What a reader sees after the name: the parameters and the result of a function, or the fields of a class."""
    match node:
        case ast.FunctionDef(args=args, returns=returns) | ast.AsyncFunctionDef(args=args, returns=returns):
            plain = ast.unparse(_WithoutNotes().visit(copy.deepcopy(args)))
            return f"({plain})" + (f" -> {ast.unparse(returns)}" if returns else "")
        case ast.ClassDef(body=body):
            fields = [ast.unparse(part) for part in body if isinstance(part, ast.AnnAssign)]
            return f"({', '.join(fields)})" if fields else ""
    return ""


def _definitions(tree: ast.Module) -> list[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions and classes of a module, each after those around it."""
    found = [node for node in ast.walk(tree) if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))]
    return sorted(found, key=lambda node: node.lineno)


def pages() -> list[str]:
    """The documents that people write, as paths from the root; others are made of docstrings and help texts."""
    paths = sorted(path for pattern in PAGES for path in ROOT.glob(pattern))
    return [path.relative_to(ROOT).as_posix() for path in paths if GENERATED not in path.read_text("utf-8")]


def paragraphs(page: str) -> Iterator[Piece]:
    """The pieces of a document."""
    yield from of_markdown((ROOT / page).read_text("utf-8"), page)


def docstrings(package: str) -> Iterator[Piece]:
    """The docstrings of a package's modules and of what is public in them, each whole."""
    for path, tree in _parsed(package, ROOT):
        for name, node in _documented(_module(path), tree):
            if docstring := ast.get_docstring(node, clean=False):
                owner = name + _signature(node)
                yield Piece(path, node.body[0].lineno, inspect.cleandoc(docstring), "docstring", owner)


#: The texts that have a name, by name.
Names: TypeAlias = "Mapping[str, str]"


def _text(node: ast.AST, names: Names) -> str | None:
    """A string, with the expression in braces for each value that is put in; for the name of a text, the text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value
            if isinstance(part, ast.Constant)
            else names.get(written := ast.unparse(part.value), f"{{{written}}}")
            for part in node.values
        )
    return None


def _named(nodes: Iterable[ast.AST], names: Names) -> dict[str, str]:
    """The texts that have a name, with those that some nodes name. A name with several values is none."""
    nodes = list(nodes)
    given = Counter(
        node.arg if isinstance(node, ast.arg) else node.id
        for node in nodes
        if isinstance(node, ast.arg) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    )
    found = {name: text for name, text in names.items() if name not in given}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if given[name] == 1:
                if (text := _text(value, found)) is not None:
                    found[name] = text
    return found


def _put_in(scope: ast.AST) -> set[str]:
    """The names that stand in the texts of a module or function."""
    values = (node.value for node in ast.walk(scope) if isinstance(node, ast.FormattedValue))
    return {value.id for value in values if isinstance(value, ast.Name)}


def _strings(node: ast.AST, names: Names, parts: AbstractSet[str]) -> Iterator[tuple[int, str]]:
    """The strings of a tree, an f-string as one; docstrings and other expressions that do nothing are left out.

    `names` are the texts that have a name, and `parts` those of them that stand in other texts.
    """
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                of_function = _named(ast.walk(child), names)
                yield from _strings(child, of_function, of_function.keys() & _put_in(child))
            case ast.Assign(targets=[ast.Name(id=name)]) if name in parts:
                pass
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in EXPECTING:
                place, before = EXPECTING[name]
                for number, argument in enumerate(child.args):
                    found = _strings(ast.Expression(argument), names, parts)
                    yield from ((line, before + text if number == place else text) for line, text in found)
            case _ if (text := _text(child, names)) is not None:
                yield child.lineno, text
            case _:
                yield from _strings(child, names, parts)


def _targets(node: ast.Assign) -> Iterator[ast.AST]:
    """The names that an assignment gives a value, also several at once, and what stands around them."""
    return (part for target in node.targets for part in ast.walk(target))


@cache
def _shared(root: Path) -> dict[str, str]:
    """The texts that modules of the packages share: those with a public name in capitals."""
    trees = (tree for package in PACKAGES for _, tree in _parsed(package, root))
    assigned = (node for tree in trees for node in tree.body if isinstance(node, ast.Assign))
    found = _named((part for node in assigned for part in (node, *_targets(node))), {})
    return {name: text for name, text in found.items() if name.isupper() and not name.startswith("_")}


def messages(package: str) -> Iterator[Piece]:
    """The messages of a package: what it raises, prints and says in help texts."""
    befores = tuple(before for _, before in EXPECTING.values())
    for path, tree in _parsed(package, ROOT):
        top = [part for node in tree.body if isinstance(node, ast.Assign) for part in (node, *_targets(node))]
        names = _named(top, _shared(ROOT))
        definitions = _definitions(tree)
        for line, text in _strings(tree, names, names.keys() & _put_in(tree)):
            phrase = next((text.removeprefix(before) for before in befores if text.startswith(before)), text)
            if len(WORD.findall(VALUE.sub("", phrase))) >= FEWEST and not CODE.search(phrase):
                around = [node.name for node in definitions if node.lineno <= line <= (node.end_lineno or 0)]
                yield Piece(path, line, text, "message", around[-1] if around else "")
