"""The solvers that can answer a query: Z3, and bitwuzla and cvc5 as its peers.

Each solver comes as a Python package, and reads a script in SMT-LIB that has one `check-sat`. For a script that can be
satisfied, each of them gives values of the constants that are truth values or bit-vectors; Z3 and cvc5 give those of
integers, too.

Time would make an answer depend on what else the computer does. So a query is limited by *work*: by the steps that the
solver takes in so many seconds of a processor that does nothing else. Z3 and cvc5 count steps of their own; bitwuzla
counts none, and is limited by the time of the processor that it takes. Z3 gets a new context for each script, because
its search depends on all formulas that a context has seen.

A script may end with `(check-sat-assuming (a (not b)))` in place of `(check-sat)`. If the next script differs only in
what it assumes, Z3 goes on with what it has read and learned. The others get what is assumed as assertions.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import time
from typing import TYPE_CHECKING, TypeAlias, cast

from synth_checker.errors import ResourceError
from synth_checker.extras import how_to_install
from synth_checker.nearest import unknown
from synth_solvers.answers import SolverAnswer

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import z3

    from synth_solvers.answers import Value, Verdict

#: Settings of a solver, such as `{"mbqi": False}`.
Options: TypeAlias = "Mapping[str, bool | int]"
#: Z3's simple solver gets at most so many seconds of work for a query, and then the other one the rest.
_SIMPLE_S = 3.0
#: A solver that counts too few of its steps is stopped after so many times the seconds of its limit, of the processor.
PATIENCE = 10.0
#: The seconds of a limit by the clock that is none: a week.
_NO_LIMIT = 604_800.0
#: How many of its own steps each solver takes in a second, measured on obligations of Event-B machines.
_STEPS = {"z3": 4_000_000, "cvc5": 350_000}
#: A constant that a script declares, with bars around its name or without, and its sort if its values are asked for.
_DECLARED = re.compile(
    r"\(declare-(?:const\s+|fun\s+)(\|[^|]*\||[^\s()|]+)\s+(?:\(\s*\)\s*)?(Bool|Int|\(\s*_\s+BitVec\s+(\d+)\s*\))\s*\)"
)
#: The last command of a script with assumptions, and one of these.
_ASSUMING = re.compile(r"\(check-sat-assuming\s*\((.*)\)\s*\)\s*\Z", re.DOTALL)
_LITERAL = re.compile(r"(\(\s*not\s+)?(\|[^|]*\||[^\s()|]+)")


def _split(script: str) -> tuple[str, list[tuple[str, bool]]]:
    """Return a script without its assumptions, if it has some, and these: names with truth values."""
    if (match := _ASSUMING.search(script)) is None:
        return script, []
    return script[: match.start()], [(name, not negated) for negated, name in _LITERAL.findall(match[1])]


def _asserting(script: str) -> str:
    """Return a script that asserts what it would assume."""
    base, assumed = _split(script)
    claims = "".join(f"(assert {name})\n" if holds else f"(assert (not {name}))\n" for name, holds in assumed)
    return f"{base}{claims}(check-sat)\n" if assumed else script


#: The last script with assumptions that Z3 got, without these, and the simple solver that has read it.
_last: tuple[str, z3.Solver] | None = None


def _z3(script: str, seconds: float, wall: float, options: Options) -> SolverAnswer:
    import z3

    ends = time.monotonic() + wall
    steps = max(2, int(seconds * _STEPS["z3"]))
    first = min(int(_SIMPLE_S * _STEPS["z3"]), steps // 2)
    # On most queries about kernels, the simple solver is 2.7 times as fast as the other one. Some take it minutes, and
    # the other one a fraction of a second: that one rewrites more before it searches.
    spent = 0
    for make, part in ((_simple_solver, first), (_rewriting_solver, steps - first)):
        solver, assumed = make(script)
        for option, setting in options.items():
            solver.set(option, setting)
        solver.set(rlimit=part, timeout=max(1, int((ends - time.monotonic()) * 1000)))
        before = _steps_of(solver)
        result = solver.check(*assumed)
        spent += _steps_of(solver) - before
        if result != z3.unknown:
            break
    worked = spent / _STEPS["z3"]
    if result == z3.unsat:
        return SolverAnswer("unsat", worked=worked)
    if result != z3.sat:
        return SolverAnswer("unknown", reason=str(solver.reason_unknown()), worked=worked)
    return SolverAnswer("sat", _z3_values(solver.model(), script), worked=worked)


def _steps_of(solver: z3.Solver) -> int:
    """Return how many steps the context of a solver has counted."""
    return int(solver.statistics().get_key_value("rlimit count"))


def _z3_values(model: z3.ModelRef, script: str) -> dict[str, Value]:
    """Return the constants that a script declares. A model also has what the script defines, which may be a lot."""
    import z3

    values: dict[str, Value] = {}
    context = model.ctx
    for name, sort, width in _DECLARED.findall(script):
        kind = z3.BitVecSort(int(width), context) if width else {"Bool": z3.BoolSort, "Int": z3.IntSort}[sort](context)
        value = model[z3.Const(_plain(name), kind)]
        if z3.is_bv_value(value) or z3.is_int_value(value):
            values[_plain(name)] = value.as_long()
        elif z3.is_bool(value):
            values[_plain(name)] = z3.is_true(value)
    return values


def _simple_solver(script: str) -> tuple[z3.Solver, list[z3.BoolRef]]:
    """Return Z3's simple solver, which has read a script, and what to assume. It is the last one if that fits."""
    global _last  # noqa: PLW0603  (a process answers one query at a time)
    import z3

    base, assumed = _split(script)
    if assumed and _last is not None and _last[0] == base:
        solver = _last[1]
    else:
        solver = z3.SimpleSolver(ctx=z3.Context())
        solver.from_string(base)
        if assumed:
            _last = base, solver
    constants = [(z3.Bool(_plain(name), solver.ctx), holds) for name, holds in assumed]
    return solver, [constant if holds else z3.Not(constant) for constant, holds in constants]


def _rewriting_solver(script: str) -> tuple[z3.Solver, list[z3.BoolRef]]:
    """Return Z3's other solver, which has read a script. Assumptions are assertions for it, so it rewrites more."""
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(_asserting(script))
    return solver, []


def _bitwuzla(script: str, seconds: float, wall: float, _: Options) -> SolverAnswer:
    package = importlib.import_module("bitwuzla")
    begins = time.process_time()
    options = package.Options()
    options.set(package.Option.TIME_LIMIT_PER, max(1, int(wall * 1000)))
    options.set(package.Option.PRODUCE_MODELS, True)  # noqa: FBT003  (options have any values)
    parser = package.Parser(package.TermManager(), options)
    parser.parse(_asserting(script), True, False)  # noqa: FBT003  (read only, from this text)
    solver = parser.bitwuzla()
    solver.configure_terminator(lambda: time.process_time() - begins > seconds)
    verdict = _verdict(solver.check_sat())
    values: dict[str, Value] = {}
    for constant in parser.get_declared_funs() if verdict == "sat" else ():
        if constant.sort().is_bool():
            values[_plain(constant.symbol())] = bool(solver.get_value(constant).value())
        elif constant.sort().is_bv():
            values[_plain(constant.symbol())] = int(solver.get_value(constant).value(10), 10)
    return SolverAnswer(
        verdict, values, "bitwuzla gave no verdict" if verdict == "unknown" else "", time.process_time() - begins
    )


def _cvc5(script: str, seconds: float, wall: float, _: Options) -> SolverAnswer:
    package = importlib.import_module("cvc5")
    begins = time.process_time()
    solver = package.Solver(package.TermManager())
    solver.setOption("tlimit-per", str(max(1, int(wall * 1000))))
    solver.setOption("rlimit-per", str(max(1, int(seconds * _STEPS["cvc5"]))))
    solver.setOption("produce-models", "true")
    parser = package.InputParser(solver)
    parser.setStringInput(package.InputLanguage.SMT_LIB_2_6, _asserting(script), "query")
    symbols = parser.getSymbolManager()
    said: list[str] = []
    while not (command := parser.nextCommand()).isNull():
        said += str(command.invoke(solver, symbols)).split()
    verdict = _verdict(said[-1] if said else "unknown")
    values: dict[str, Value] = {}
    for constant in symbols.getDeclaredTerms() if verdict == "sat" else ():
        if constant.getSort().isBoolean():
            values[_plain(constant.getSymbol())] = bool(solver.getValue(constant).getBooleanValue())
        elif constant.getSort().isBitVector():
            values[_plain(constant.getSymbol())] = int(solver.getValue(constant).getBitVectorValue(10), 10)
        elif constant.getSort().isInteger():
            values[_plain(constant.getSymbol())] = int(solver.getValue(constant).getIntegerValue())
    return SolverAnswer(
        verdict, values, "cvc5 gave no verdict" if verdict == "unknown" else "", time.process_time() - begins
    )


def _verdict(said: object) -> Verdict:
    """Return the verdict that a package without types gives: it says what it is as text."""
    word = str(said).rpartition(".")[2].lower()
    return cast("Verdict", word) if word in {"sat", "unsat"} else "unknown"


def _plain(name: str) -> str:
    """Return a name without the bars that SMT-LIB puts around it."""
    return name.removeprefix("|").removesuffix("|")


#: Each solver by name: how to ask it, the Python package that it needs, and the extra that installs the package.
_PEERS: dict[str, tuple[Callable[[str, float, float, Options], SolverAnswer], str, str | None]] = {
    "z3": (_z3, "z3", None),
    "bitwuzla": (_bitwuzla, "bitwuzla", "solvers"),
    "cvc5": (_cvc5, "cvc5", "solvers"),
}
NAMES = tuple(_PEERS)


def check_solver(name: str) -> None:
    """Raise an error unless there is a solver of this name, and its package is installed.

    Raises:
        InputError: no solver has this name.
        ResourceError: the package is not installed.
    """
    if name not in _PEERS:
        raise unknown("solver", name, NAMES)
    _, package, extra = _PEERS[name]
    if extra is not None and importlib.util.find_spec(package) is None:
        raise ResourceError(f"solver {name}: the package {package} is not installed; run: {how_to_install(extra)}")


def answer(
    name: str, script: str, seconds: float, options: Options | None = None, wall: float = _NO_LIMIT
) -> SolverAnswer:
    """Ask the solver of this name in the present process, and ask it to give up after some work.

    `seconds` limits the work, to what the solver does in so many seconds of a processor that does nothing else. `wall`
    is a limit by the clock, if there is one. `options` are settings of Z3; the other
    solvers have none. The solver may overstay, and it may end the process if it has no memory left.
    """
    return _PEERS[name][0](script, seconds, wall, options or {})
