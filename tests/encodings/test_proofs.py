"""Prove parts of the code with z3, for all inputs of a size: a proof shows that there is no counterexample.

A step is stated three times: by clauses, by the C++ core, and below by `step`, which is section 1 of the definitions as
a formula. Each proof is also tried on planted faults, for which it finds a counterexample. So it can fail.
"""

import functools
import itertools
from types import SimpleNamespace

import pytest

from lazily import lazily
from quick import mostly_full
from synth_checker._native import count_states, reachable_states
from synth_checker.programs.id_layout import DIGITS
from synth_encodings import normal_form
from synth_encodings.cnf import FALSE, TRUE, Cnf
from synth_encodings.step import InstructionSteps
from synth_encodings.variables import Field, InstructionVariables, ProgramVariables

z3 = lazily("z3")
WIDTH = 4  # bits of a field; all sizes here are small
LATER = (pytest.mark.full, pytest.mark.exhaustive)


def sizes(quick, full):
    """Every pair of numbers from 1 up to `quick`, the others marked `full`, those with `full` itself `exhaustive`."""
    return [
        pytest.param(*pair, marks=() if max(pair) <= quick else LATER[max(pair) == full])
        for pair in itertools.product(range(1, full + 1), repeat=2)
    ]


def counterexample(*claims):
    """A model of the claims; None is the proof that there is none."""
    solver = z3.SolverFor("QF_BV")
    solver.add(*claims)
    answer = solver.check()
    assert answer != z3.unknown
    return solver.model() if answer == z3.sat else None


# --- section 1 ---


class Inputs:
    """Any instruction of a size at a pc of a thread with `ends` locations; `values` as exch is no exchange."""

    def __init__(self, locations, values, ends):
        self.loc, self.check, self.exch, self.target = self.fields = z3.BitVecs("loc check exch target", WIDTH)
        self.no_exchange = values
        limits = (locations, values, values + 1, ends + 1)
        self.valid = z3.And([z3.ULT(field, limit) for field, limit in zip(self.fields, limits, strict=True)])


def content(memory, loc):
    """Mem[loc]."""
    return functools.reduce(lambda rest, k: z3.If(loc == k, memory[k], rest), range(1, len(memory)), memory[0])


def written(memory, i):
    """The memory after `if exch is not none: Mem[loc] = exch`."""
    return [z3.If(z3.And(i.exch != i.no_exchange, i.loc == k), i.exch, value) for k, value in enumerate(memory)]


def step(memory, i, pc):
    """Section 1: the comparison, the memory and the pc after."""
    taken = content(memory, i.loc) == i.check
    return taken, written(memory, i), z3.If(taken, i.target, z3.BitVecVal(pc + 1, WIDTH))


def compares_after_writing(memory, i, pc):
    taken = content(written(memory, i), i.loc) == i.check
    return taken, written(memory, i), z3.If(taken, i.target, z3.BitVecVal(pc + 1, WIDTH))


def writes_only_if_taken(memory, i, pc):
    taken, after, pc_after = step(memory, i, pc)
    return taken, [z3.If(taken, new, old) for new, old in zip(after, memory, strict=True)], pc_after


def jumps_if_not_taken(memory, i, pc):
    taken, after, _ = step(memory, i, pc)
    return taken, after, z3.If(taken, z3.BitVecVal(pc + 1, WIDTH), i.target)


def writes_what_it_checks(memory, i, pc):
    taken, after, pc_after = step(memory, i, pc)
    writes = i.exch != i.no_exchange
    return taken, [z3.If(z3.And(writes, i.loc == k), i.check, new) for k, new in enumerate(after)], pc_after


WRONG_STEPS = [compares_after_writing, writes_only_if_taken, jumps_if_not_taken, writes_what_it_checks]


# --- the clauses ---

ENDS = 2  # of the thread that the instruction is in, at pc 0 or 1: it can jump back, stay, go on, and end


def constants(numbers):
    return [z3.BitVecVal(number, WIDTH) for number in numbers]


def mean(meaning, meanings):
    """Note what the variables behind some literals mean."""
    for literal, means in meanings:
        if abs(literal) != TRUE:
            meaning[abs(literal)] = means if literal > 0 else z3.Not(means)


def literals_as(meaning, clauses):
    """The clauses, each variable replaced by what it means."""
    meant = {k: m for v, m in meaning.items() for k, m in ((v, m), (-v, z3.Not(m)))}
    return [z3.Or([meant[literal] for literal in clause]) for clause in clauses]


class Step:
    """The clauses of one instruction's steps, and what `formula` says of it in every memory."""

    def __init__(self, locations, values, pc, formula=step):
        self.cnf = Cnf()
        counts = {"loc": locations, "check": values, "exch": values + 1, "target": ENDS + 1}
        fields = {name: Field.of(self.cnf, count) for name, count in counts.items()}
        self.memories = list(itertools.product(range(values), repeat=locations))
        self.steps = InstructionSteps(self.cnf, InstructionVariables(0, pc, **fields), self.memories)
        self.inputs = i = Inputs(locations, values, ENDS)
        #: What the literals of the fields, and of the relations behind the edges, and of the edges mean.
        self.fields = {
            literal: value == k
            for field, value in zip(fields.values(), i.fields, strict=True)
            for k, literal in enumerate(field.literals)
        }
        self.relations = {
            literal: z3.And(i.exch == value, i.loc == loc) for (loc, value), literal in self.steps.writes.items()
        }
        self.edges = []
        for memory in self.memories:
            taken, after, pc_after = formula(constants(memory), i, pc)
            has = [[new == value for value in range(values)] for new in after]
            at = [pc_after == end for end in range(ENDS + 1)]
            self.relations[self.steps.taken[memory]] = taken
            self.relations[self.steps.unchanged[memory]] = z3.And([has[k][v] for k, v in enumerate(memory)])
            self.edges += [
                (edge.literal, z3.And(at[edge.pc], *(has[k][v] for k, v in enumerate(edge.memory))))
                for edge in self.steps.edges[memory]
            ]

    def variables(self):
        return {TRUE: z3.BoolVal(val=True)} | {v: z3.Bool(f"v{v}") for v in range(2, self.cnf.variables + 1)}

    def forced(self):
        """None if the clauses leave no literal another value than the formula gives it."""
        free = self.variables()
        literals = free | {-v: z3.Not(b) for v, b in free.items()}
        chosen = [literals[k] == means for k, means in self.fields.items()]
        wrong = [literals[k] != means for k, means in (*self.relations.items(), *self.edges)]
        return counterexample(self.inputs.valid, *literals_as(free, self.cnf.clauses), *chosen, z3.Or(wrong))

    def allowed(self):
        """None if the clauses hold for every instruction when its relations are the formula's, and the gates gates."""
        meaning = {TRUE: z3.BoolVal(val=True)}
        mean(meaning, (self.fields | self.relations).items())
        for inputs, gate in self.cnf._gates.items():
            meaning[gate] = z3.And(*(meaning[abs(k)] if k > 0 else z3.Not(meaning[abs(k)]) for k in inputs))
        return counterexample(self.inputs.valid, z3.Not(z3.And(literals_as(meaning, self.cnf.clauses))))

    def exactly_one(self):
        """None if in every memory exactly one edge is there, and every field has exactly one value."""
        free = self.variables()
        literals = free | {-v: z3.Not(b) for v, b in free.items()}
        groups = [[edge.literal for edge in edges] for edges in self.steps.edges.values()]
        groups += [field.literals for field in self.steps.instruction.fields]
        has_one_value = [z3.PbEq([(literals[k], 1) for k in group if k != FALSE], 1) for group in groups]
        return counterexample(*literals_as(free, self.cnf.clauses), z3.Not(z3.And(has_one_value)))


@pytest.mark.parametrize("pc", range(ENDS))
@mostly_full(("locations", "values"), sizes(3, 4), quick=2)
def test_the_clauses_of_a_step_are_section_1(locations, values, pc):
    """For every instruction, and in every memory: they force what it says, allow what it says, and it is one edge."""
    proof = Step(locations, values, pc)
    assert proof.forced() is None
    assert proof.allowed() is None
    assert proof.exactly_one() is None


@pytest.mark.parametrize("wrong", WRONG_STEPS)
def test_the_clauses_of_a_step_are_no_other_formula(wrong):
    assert Step(2, 2, 0, wrong).forced() is not None


@pytest.mark.parametrize(("locations", "values"), [(2, 2), pytest.param(3, 3, marks=pytest.mark.full)])
def test_a_step_lacking_a_clause_or_with_one_too_many_is_noticed(locations, values):
    proof = Step(locations, values, 0)
    whole = list(proof.cnf.clauses)
    taken = proof.steps.taken[proof.memories[1]]
    edge = next(edge.literal for edge in proof.steps.edges[proof.memories[1]] if abs(edge.literal) != TRUE)
    for literal in (taken, -taken, edge, -edge):
        lacking = max(k for k, clause in enumerate(whole) if literal in clause and len(clause) > 1)
        proof.cnf.clauses = whole[:lacking] + whole[lacking + 1 :]
        assert proof.forced() is not None
        assert proof.allowed() is None
    proof.cnf.clauses = [*whole, [-edge]]
    assert proof.allowed() is not None


def test_a_step_with_an_edge_missing_or_two_at_once_is_noticed():
    proof = Step(2, 2, 0)
    edges = proof.steps.edges[proof.memories[0]]
    for faulty in (edges[1:], [*edges, edges[0]]):
        proof.steps.edges[proof.memories[0]] = faulty
        assert proof.exactly_one() is not None


# --- the C++ core ---


def id_of_code(code):
    """A thread as part of an id; an exchange of None is none."""
    return "".join("_" if digit is None else DIGITS[digit] for fields in code for digit in fields)


class Core:
    """Threads that show what the core does, for every instruction of a size in every memory.

    A thread stores a memory value by value, marks that it has, and is then at the instruction; behind that it reads the
    memory once, and waits if it finds what it looks for.
    """

    def __init__(self, locations, values):
        self.locations, self.values = locations, values
        self.pc = locations + 1
        self.ends = self.pc + 2
        #: Each instruction as (loc, check, exch, target), and each memory.
        self.every_input = list(
            itertools.product(
                itertools.product(range(locations), range(values), (None, *range(values)), range(self.ends + 1)),
                itertools.product(range(values), repeat=locations),
            )
        )

    def thread(self, instruction, memory, *, mark=None, read=(0, 0)):
        stores = [(loc, 0, value, loc + 1) for loc, value in enumerate(memory)]
        marking = (self.locations if mark is None else mark, 0, 1, self.pc)
        return [*stores, marking, instruction, (*read, None, self.pc + 1)]

    def after(self, instruction, memory):
        """The memory and the pc after the instruction, out of all states that are reached, in whatever order.

        It is the state at the lowest pc of those that are marked: from there the thread runs up to the instruction
        again, or on. On either side of it a thread stays where it is: its pc, too, is a digit of a state's number.
        """
        values = max(self.values, 2)
        spare = id_of_code([(self.locations + 1, 0, None, 0)])
        id_ = f"{spare}-{id_of_code(self.thread(instruction, memory))}-{spare}"
        marked = []
        for number in reachable_states(id_, self.locations + 2, values)[0]:
            digits, rest = [], number
            for base in [values] * (self.locations + 2) + [2, self.ends + 1, 2]:
                rest, digit = divmod(rest, base)
                digits.append(digit)
            *contents, is_marked, still, left, pc, right = digits
            assert rest == still == left == right == 0
            if is_marked:
                marked.append((pc, tuple(contents)))
        marked.remove((self.pc, memory))
        if not marked:
            return memory, self.pc
        pc, contents = min(marked)
        assert [other for other, _ in marked].count(pc) == 1
        return contents, pc

    def table(self):
        return {known: self.after(*known) for known in self.every_input}

    def difference(self, table, formula=step):
        """An input of which the table says something else than the formula; None if there is none."""
        i = Inputs(self.locations, self.values, self.ends)
        before = [z3.BitVec(f"m{k}", WIDTH) for k in range(self.locations)]
        valid = [i.valid, *(z3.ULT(value, self.values) for value in before)]
        _, memory_after, pc_after = formula(before, i, self.pc)
        row = z3.Concat(*i.fields, *before, *memory_after, pc_after)
        rows = []
        for (instruction, memory), (memory_found, pc_found) in table.items():
            digits = [self.values if digit is None else digit for digit in instruction]
            number = functools.reduce(lambda n, d: n << WIDTH | d, (*digits, *memory, *memory_found, pc_found), 0)
            rows.append(z3.BitVecVal(number, row.size()))
        return counterexample(*valid, z3.And([row != known for known in rows]))


@mostly_full(("locations", "values"), sizes(3, 4), quick=3)
def test_a_step_of_the_core_is_section_1(locations, values):
    """`reachable_states`, on which the engine's loop rests."""
    core = Core(locations, values)
    assert core.difference(core.table()) is None


def test_a_step_of_the_core_is_no_other_formula():
    core = Core(2, 2)
    table = core.table()
    assert all(core.difference(table, wrong) is not None for wrong in WRONG_STEPS)


@pytest.mark.full
def test_a_core_that_is_wrong_for_one_input_is_noticed():
    core = Core(2, 2)
    table = core.table()
    for known in core.every_input[::17]:
        memory, pc = table[known]
        for wrong in ((memory, (pc + 1) % (core.ends + 1)), ((1 - memory[0], memory[1]), pc)):
            assert core.difference(table | {known: wrong}) is not None


@functools.cache
def after(formula, instruction, memory, pc):
    """The formula's value for one input."""
    numbers = [15 if digit is None else digit for digit in instruction]
    fields = dict(zip(("loc", "check", "exch", "target"), constants(numbers), strict=True))
    i = SimpleNamespace(no_exchange=15, **fields)
    _, memory_after, pc_after = formula(constants(memory), i, pc)
    return tuple(z3.simplify(value).as_long() for value in memory_after), z3.simplify(pc_after).as_long()


def walk(formula, thread, locations):
    """How many states a thread reaches if its steps are the formula's."""
    seen, memory, pc = set(), (0,) * locations, 0
    while (memory, pc) not in seen:
        seen.add((memory, pc))
        if pc < len(thread):
            memory, pc = after(formula, thread[pc], memory, pc)
    return len(seen)


def miscounted(core, mark, formula=step):
    """The inputs for which the core reaches another number of states, whatever is read behind the instruction."""
    for instruction, memory in core.every_input:
        for read in itertools.product(range(core.locations), range(core.values)):
            counted = count_states(id_of_code(core.thread(instruction, memory, mark=mark, read=read)))
            if counted != walk(formula, core.thread(instruction, memory, read=read), core.locations + 1):
                yield instruction, memory, read


@pytest.mark.full
@pytest.mark.parametrize("mark", [None, 13], ids=["by number", "by hash"])
def test_the_core_that_judges_counts_as_many_states_as_section_1(mark):
    """`Lts` says only how many, and what is read behind the instruction changes that number.

    It numbers the states of a small program and hashes those of a large one; a high memory location makes it large.
    """
    core = Core(2, 2)
    assert not list(miscounted(core, mark))
    assert all(any(miscounted(core, mark, wrong)) for wrong in WRONG_STEPS)


# --- naming by first use ---


class Naming:
    """The clauses of normal form as a statement about the fields that hold names: `loc`, `check`, `exch`, and so on.

    Any location may be renamed, and any value but 0; no exchange is a value of `exch`, but no name. Every instruction
    jumps to itself, so none is a no-op: of these the clauses speak, too, but not here.
    """

    def __init__(self, sizes, locations, values):
        self.locations, self.values = locations, values
        cnf = Cnf()
        self.program = ProgramVariables(cnf, sizes, locations, values)
        before = len(cnf.clauses)
        normal_form.normal_form(cnf, self.program)
        self.clauses = cnf.clauses[before:]
        self.read = [field for i in self.program.instructions for field in (i.loc, i.check, i.exch)]
        self.fields = [z3.BitVec(f"field{k}", WIDTH) for k in range(len(self.read))]
        self.valid = z3.And([z3.ULT(value, len(field)) for value, field in zip(self.fields, self.read, strict=True)])

    def renamed(self):
        """What each renaming makes of the fields."""
        for locations in itertools.permutations(range(self.locations)):
            for values in itertools.permutations(range(1, self.values)):
                named = [constants(names) for names in (locations, (0, *values, self.values))]
                yield [content(named[k % 3 > 0], value) for k, value in enumerate(self.fields)]

    def hold(self, fields):
        """That the clauses hold of fields."""
        meaning = {TRUE: z3.BoolVal(val=True)}
        for field, value in zip(self.read, fields, strict=True):
            mean(meaning, [(literal, value == k) for k, literal in enumerate(field.literals)])
        for i in self.program.instructions:
            mean(meaning, [(literal, z3.BoolVal(k == i.pc)) for k, literal in enumerate(i.target.literals)])
        return z3.And(literals_as(meaning, self.clauses))

    def first_use(self):
        """Section 2: a name not seen before is the one after the highest seen."""
        said, loc_seen, value_seen = [], z3.BitVecVal(0, WIDTH), z3.BitVecVal(1, WIDTH)
        for k, name in enumerate(self.fields):
            if k % 3 == 0:
                said.append(z3.ULE(name, loc_seen))
                loc_seen = z3.If(name == loc_seen, loc_seen + 1, loc_seen)
            else:
                is_name = name != self.values
                said.append(z3.Implies(is_name, z3.ULE(name, value_seen)))
                value_seen = z3.If(z3.And(is_name, name == value_seen), value_seen + 1, value_seen)
        return z3.And(said)

    def none_kept(self):
        """Fields of which no renaming satisfies the clauses."""
        return counterexample(self.valid, *(z3.Not(self.hold(fields)) for fields in self.renamed()))

    def two_kept(self):
        """Fields that satisfy the clauses and so does another renaming of theirs."""
        differs = [
            z3.And(self.hold(fields), z3.Or([a != b for a, b in zip(fields, self.fields, strict=True)]))
            for fields in self.renamed()
        ]
        return counterexample(self.valid, self.hold(self.fields), z3.Or(differs))

    def other_than_first_use(self):
        return counterexample(self.valid, self.hold(self.fields) != self.first_use())


#: All sizes with up to four fields for names of a kind and up to four names; and some where there are both.
NAMED = [
    *[((1,) * threads, locations, 1) for threads in range(1, 5) for locations in range(1, 5)],
    *[(sizes, 1, values) for sizes in [(1,), (2,), (1, 1)] for values in range(2, 5)],
    ((2, 1), 2, 3),
    ((1, 1, 1), 3, 3),
]


@mostly_full(("sizes", "locations", "values"), NAMED, quick=6)
def test_naming_by_first_use_keeps_exactly_one_of_all_renamings(sizes, locations, values):
    """And the one that section 2 describes."""
    proof = Naming(sizes, locations, values)
    assert proof.none_kept() is None
    assert proof.two_kept() is None
    assert proof.other_than_first_use() is None


@pytest.mark.full
@mostly_full(
    ("sizes", "locations", "values"),
    [((1, 1), 4, 1), ((2,), 1, 4), ((1, 1), 2, 3), pytest.param((1, 1, 1), 3, 3, marks=pytest.mark.full)],
)
def test_naming_that_says_less_keeps_two_and_that_says_more_none(sizes, locations, values):
    proof = Naming(sizes, locations, values)
    whole = proof.clauses
    noticed = 0
    for left_out in range(len(whole)):
        proof.clauses = whole[:left_out] + whole[left_out + 1 :]
        says_less = proof.other_than_first_use() is not None
        assert (proof.two_kept() is not None) == says_less
        assert proof.none_kept() is None
        noticed += says_less
    assert noticed > 0
    last = proof.read[-3 if values == 1 else -1]
    proof.clauses = [*whole, [-last[0]]]
    assert proof.none_kept() is not None


def test_names_read_in_another_order_are_not_by_first_use():
    proof = Naming((1, 1), 2, 3)
    proof.read = [field for i in proof.program.instructions for field in (i.loc, i.exch, i.check)]
    assert proof.other_than_first_use() is not None
