"""Random inputs of tests: programs, automata and expressions of models, with their limits as arguments.

Programs are raw: their names come in any order, they have no-ops, and their stores compare with anything. A test that
needs more draws one and changes it. Everything shrinks towards few threads, few instructions and zeros.
"""

import random
from dataclasses import replace

from hypothesis import strategies as st

from synth_checker.models.automaton import Automaton
from synth_checker.programs.program import MAX_VALUES, Instruction, Program, Thread
from synth_checker.twin.rules import non_termination_cycle, possible_termination
from synth_checker.twin.semantics import lts


@st.composite
def programs(draw, *, threads=(1, 3), instructions=(1, 5), locations=2, values=2):
    """Draw programs whose numbers of threads and instructions lie within limits; each thread has an instruction.

    Locations are 0 ... `locations` - 1, values 0 ... `values` - 1.
    """
    count = draw(st.integers(*threads))
    size = draw(st.integers(max(count, instructions[0]), max(count, instructions[1])))
    sizes = [1] * count
    for _ in range(size - count):
        sizes[draw(st.integers(0, count - 1))] += 1
    return Program(tuple(draw(_threads(size, locations, values)) for size in sizes))


def _threads(size, locations, values):
    value = st.integers(0, values - 1)
    instruction = st.builds(
        Instruction,
        loc=st.integers(0, locations - 1),
        check=value,
        target=st.integers(0, size),
        exch=st.none() | value,
    )
    return st.lists(instruction, min_size=size, max_size=size).map(lambda chosen: Thread(tuple(chosen)))


@st.composite
def waiting_programs(draw, *, threads=(1, 3), instructions=(1, 5), locations=2, values=2):
    """Draw programs that may run forever and may always still end, which one random program in eight does.

    The others pass or fail all models alike, so models differ only on these. One is found by trying programs from a
    random seed, which is much faster than a hypothesis filter. So they do not shrink well.
    """
    rng = random.Random(draw(st.integers(0, 2**32)))
    while True:
        program = _random_program(rng, threads, instructions, rng.randint(1, locations), rng.randint(2, values))
        graph = lts(program)
        if non_termination_cycle(program, graph) and possible_termination(program, graph):
            return program


def _random_program(rng, threads, instructions, locations, values):
    count = rng.randint(*threads)
    sizes = [1] * count
    for _ in range(rng.randint(max(count, instructions[0]), max(count, instructions[1])) - count):
        sizes[rng.randrange(count)] += 1

    def instruction(pc, end):
        target = rng.randint(0, rng.choice([pc, end]))
        return Instruction(rng.randrange(locations), rng.randrange(values), target, rng.choice([None, *range(values)]))

    return Program(tuple(Thread(tuple(instruction(pc, size) for pc in range(size))) for size in sizes))


@st.composite
def programs_and_no_ops(draw, programs, *, most=3):
    """Draw a program, and the same with up to `most` further no-ops, in its threads or as threads of their own."""
    program = draw(programs)
    threads = list(program)
    for _ in range(draw(st.integers(1, most))):
        location, value = draw(st.integers(0, 1)), draw(st.integers(0, 1))
        place = draw(st.integers(0, len(threads)))
        if place == len(threads) or draw(st.booleans()):
            threads.insert(place, Thread((Instruction(location, value, 1, None),)))
            continue
        pc = draw(st.integers(0, len(threads[place])))
        code = [
            replace(i, target=i.target + (i.target > pc or (i.target == pc and draw(st.booleans()))))
            for i in threads[place]
        ]
        code.insert(pc, Instruction(location, value, pc + 1, None))
        threads[place] = Thread(tuple(code))
    return program, Program(tuple(threads))


def location_names():
    """Draw ways to give the 36 locations other names."""
    return st.permutations(range(MAX_VALUES)).map(lambda names: dict(enumerate(names)))


def value_names():
    """Draw ways to give the 35 non-zero values other names."""
    return st.permutations(range(1, MAX_VALUES)).map(lambda names: {0: 0} | dict(enumerate(names, start=1)))


@st.composite
def automata(draw, threads, *, states=3, returning=True):
    """Draw any automata for a number of threads, whose fair sets no set expression need have.

    Without `returning`, an automaton never comes back to a state that it has left. It only remembers history, as the
    six models do, and the core judges it in another way.
    """
    size = draw(st.integers(1, states))
    live_sets = range(1 << threads)
    fair_sets = st.tuples(*(st.sampled_from([fair for fair in live_sets if not fair & ~live]) for live in live_sets))
    rows = [st.integers(0 if returning else state, size - 1) for state in range(size)]
    table = st.tuples(*(st.tuples(*[row] * threads) for row in rows))
    return Automaton(threads, draw(table), draw(table), tuple(draw(fair_sets) for _ in range(size)))


@st.composite
def with_automata(draw, programs, *, states=3):
    """Draw a program, and an automaton for its number of threads."""
    program = draw(programs)
    return program, draw(automata(len(program), states=states))


def model_expressions():
    """Draw texts of set expressions, with the necessary parentheses and some others."""
    space = st.sampled_from(["", " ", "  ", "\t"])
    name = st.sampled_from(["live", "stepped", "all", "none"])

    def larger(inner):
        operation = st.tuples(inner, space, st.sampled_from("-&|"), space, inner).map("".join)
        parenthesised = st.tuples(st.sampled_from(["", "lowest", "highest", "upto"]), inner).map(
            lambda f: f"{f[0]}({f[1]})"
        )
        return operation | parenthesised

    return st.recursive(name, larger, max_leaves=8)
