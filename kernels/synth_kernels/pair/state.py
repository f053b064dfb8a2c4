"""What the walk of two threads carries along: pending accesses, contents of arrays, what is known, and checks.

Thread 1 logs its accesses, and thread 2 checks its own against them. The pair is arbitrary, so this covers both orders.
An encoding says how pending accesses are kept: `watched_location` is ours, and `chosen_accesses` its slow twin.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from synth_kernels.pair.arrival_counts import ArrivalCounts, object_scopes
from synth_kernels.pair.chosen_accesses import ChosenAccesses
from synth_kernels.pair.contents import ArrayContents
from synth_kernels.pair.lockstep import warp_number
from synth_kernels.pair.options import DEFAULT, SHARED
from synth_kernels.pair.products import Products
from synth_kernels.pair.touches import CONFLICTS, SETTLED, Elements, ThreadAccess, logged_keys
from synth_kernels.pair.watched_location import WatchedLocation
from synth_kernels.program import FLAGS, ID_WIDTH, IDS, Access, Call, Constant
from synth_kernels.terms import Terms, below

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from synth_kernels.launch import Launch
    from synth_kernels.pair.options import Options
    from synth_kernels.pair.touches import Key, PendingAccesses
    from synth_kernels.program import Barrier, Flag, Kernel, Kind
    from synth_kernels.terms import Term

#: A term for each of the two threads.
Pair: TypeAlias = "tuple[Term, Term]"


@dataclass(frozen=True, slots=True)
class Log:
    """An access that thread 1 has logged, if `happens` holds."""

    access: Access
    happens: Term


@dataclass(frozen=True, slots=True)
class KernelCheck:
    """Something that must not happen: `fails` must not hold.

    A race has the access of thread 2 and how thread 1's access is pending; `logs` says how many accesses were logged by
    then. `element` is the element that an access touches. A base or step is about an invariant, which does not hold at
    the entry of its loop, or does not stay. A check of the kind benign asks whether two writes of the same value meet,
    which may happen.
    """

    kind: Literal["race", "divergence", "assertion", "overflow", "bounds", "constant-write", "base", "step", "benign"]
    fails: Term
    line: int
    access: Access | None = None
    other: Flag | None = None
    element: Term | None = None
    logs: int = 0
    candidate: bool = False

    @property
    def other_kind(self) -> Kind | None:
        """The kind of the other access of a race, if there is one."""
        return None if self.other is None else SETTLED.get(self.other, cast("Kind", self.other))


class ThreadPairState:
    """The two threads of one launch, at some place of the kernel."""

    def __init__(self, kernel: Kernel, launch: Launch, options: Options = DEFAULT) -> None:
        self.terms = terms = Terms()
        self.options = options
        self.kernel = kernel
        self.checks: list[KernelCheck] = []
        #: Whether checks are left out, because those of another copy of the block are enough.
        self.trusts = False
        #: Where checks are trusted: whether both threads entered the loop. A round may be one that the other has made,
        #: too, before it left. So what the round says of both threads is known only then.
        self.both_entered = terms.true
        #: The lines of invariants. A claim of such a line is checked as one.
        self.invariants = {instruction.line for instruction in kernel.claims if instruction.kind == "invariant"}
        #: Where two writes of the same value may meet.
        self.benign: list[KernelCheck] = []
        self.logs: list[Log] = []
        self.spaces = {array.name: array.space for array in kernel.arrays}
        keys = sorted(logged_keys(kernel))
        self.written = {name for name, _ in keys}
        values = {array.name: array.width for array in kernel.arrays if array.name in self.written}
        self._elements = Elements(terms, kernel)
        #: The arrays in which all writes of the kernel store one value, so that no two of them race.
        of_one_value = _of_one_value(kernel, kernel.accesses) if options.tolerate_benign else frozenset()
        calls = [instruction for instruction in kernel.steps if isinstance(instruction, Call)]
        self._of_one_value = of_one_value - {name for call in calls for name, _ in call.flags}
        encoding = ChosenAccesses if options.encoding == "seed" else WatchedLocation
        self.pending: PendingAccesses = encoding(terms, self._elements, keys, values if options.tolerate_benign else {})
        self._place_words: dict[str, Term] | None = None
        self.scalars = terms.scalars(kernel.scalars, dict(launch.scalars))
        self.ids = self._ids(launch)
        same = [terms.equal(*(ids[f"gid.{number}"] for ids in self.ids)) for number in range(3)]
        self.same_group = terms.all(*same)
        self._waits_fence = launch.waits_fence
        #: Whether both threads run in lockstep.
        self.same_warp = terms.false
        if launch.warp:
            warps = [warp_number(terms, ids, launch.warp) for ids in self.ids]
            self.same_warp = terms.all(self.same_group, terms.equal(*warps))
        #: The arrivals at barriers that are one object, if these are counted.
        self.counting: ArrivalCounts | None = None
        if options.counts_barriers and (scopes := object_scopes([kernel], options)):
            self.counting = ArrivalCounts(terms, kernel, scopes, self.same_group)
        # In warps, others may store at any time. If arrivals are counted, the threads may be behind as many or not.
        apart = SHARED if launch.warp or self.counting is not None else options.apart
        self.contents = ArrayContents(terms, kernel, options.abstraction, self.same_group, apart)
        self.products = Products(terms, self.ids)
        #: In a launch of one thread, both threads are this one. It can fail an assertion, but it races with nobody.
        self.is_alone = all(size == 1 for name, size in launch.sizes().items() if not name.startswith("offset"))
        distinct = terms.true if self.is_alone else self._are_distinct()
        self.known = terms.all(self._is_launch(), distinct, self.products.facts())

    def _ids(self, launch: Launch) -> tuple[dict[str, Term], dict[str, Term]]:
        """Return the ids and sizes of both threads; an id that can only be 0 is a number."""
        terms = self.terms
        sizes = {
            name: terms.variable(name, ID_WIDTH) if size is None else terms.constant(size, ID_WIDTH)
            for name, size in launch.sizes().items()
        }
        ids_of_threads = []
        for number in (1, 2):
            ids = {
                name: terms.constant(0, ID_WIDTH)
                if _size_of(name, sizes).value == 1
                else terms.variable(f"{name} of thread {number}", ID_WIDTH)
                for name in IDS
                if name not in sizes
            }
            ids_of_threads.append(ids | sizes)
        return ids_of_threads[0], ids_of_threads[1]

    def is_open(self, term: Term) -> bool:
        """Whether a term is the same for all threads, but not a known number."""
        same = {*self.ids[0].values(), *self.scalars.values()} & {*self.ids[1].values(), *self.scalars.values()}
        leaves = [leaf for leaf in below([term]) if leaf.name]
        return bool(leaves) and all(leaf in same or self.products.is_size(leaf) for leaf in leaves)

    def _is_launch(self) -> Term:
        """Return that sizes are positive, that global ids stay below 2^31, and that ids are below their sizes."""
        terms, (first, _) = self.terms, self.ids
        large = terms.constant(1 << 31, 2 * ID_WIDTH)
        facts = []
        for number in range(3):
            local, groups = first[f"lsize.{number}"], first[f"groups.{number}"]
            for size in (local, groups):
                facts.append(terms.apply("ult", (terms.constant(0, ID_WIDTH), size)))  # noqa: PERF401  (two loops)
            if any(size.value is None for size in (local, groups, first[f"offset.{number}"])):
                sizes = (local, groups, first[f"offset.{number}"])
                whole = [terms.apply("zext", (size,), 2 * ID_WIDTH) for size in sizes]
                threads = self.products.threads(number)
                ends = terms.apply("add", (threads, whole[2]))
                facts += [terms.apply("ult", (term, large)) for term in (*whole, threads, ends)]
        for ids in self.ids:
            facts += [
                terms.apply("ult", (ids[name], _size_of(name, ids))) for name in IDS if name[:3] in {"lid", "gid"}
            ]
        return terms.all(*facts)

    def _are_distinct(self) -> Term:
        """Return that threads of one group have different local ids."""
        terms = self.terms
        same = [terms.equal(*(ids[f"lid.{number}"] for ids in self.ids)) for number in range(3)]
        return terms.implies(self.same_group, terms.no(terms.all(*same)))

    def learn(self, fact: Term) -> None:
        """Add a fact that holds from here on."""
        self.known = self.terms.all(self.known, fact)

    def check(self, check: KernelCheck) -> None:
        """Add a check, unless it holds trivially."""
        if not self.trusts and check.fails.value != 0 and not (self.is_alone and check.kind in {"race", "divergence"}):
            self.checks.append(check)

    def restrict(self, start: int, fact: Term) -> None:
        """Let the checks from a number on fail only where a fact holds that was learned after them.

        A frozen thread leaves its loop again. This is known only behind the body of the loop, but holds in it, too.
        """
        restricted = [replace(check, fails=self.terms.all(check.fails, fact)) for check in self.checks[start:]]
        self.checks[start:] = [check for check in restricted if check.fails.value != 0]

    def may_share(self, array: str) -> Term:
        """Return whether the two threads see the same array of this name."""
        return self.same_group if self.spaces[array] == "local" else self.terms.true

    def access(self, pair: tuple[ThreadAccess, ThreadAccess]) -> None:
        """Log an access of thread 1, and then check it for thread 2: so one instruction races with itself.

        One thread of a group makes an asynchronous copy for all of them, at each place an arbitrary one.
        """
        access = pair[0].access
        self._check_place(pair[0])
        if access.array not in self.written:
            return
        share, terms = self.may_share(access.array), self.terms
        copies = [terms.true, terms.true]
        if access.event:
            first, apart = terms.variable("thread 1 copies", 1), terms.no(self.same_group)
            copies = [terms.any(first, apart), terms.any(terms.no(first), apart)]
        touches = [
            replace(log, happens=terms.all(log.happens, share, copies[thread], self._is_watched(thread, access.array)))
            for thread, log in enumerate(pair)
        ]
        lockstep = terms.false if access.event else terms.all(self.same_warp, *(touch.happens for touch in pair))
        self._forget(access.array, CONFLICTS[access.kind], lockstep)
        self.logs.append(Log(access, self.pending.log(touches[0])))
        for other in CONFLICTS[access.kind]:
            is_tolerated = access.kind == other == "write" and access.array in self._of_one_value
            if (access.array, other) in self.pending.keys and not is_tolerated:
                fails = self.terms.all(self.known, self.pending.clashes(touches[1], other))
                place = self.pending.place(access.array, other)
                self.check(KernelCheck("race", fails, access.line, access, other, place, len(self.logs)))
        if access.kind == "write" and not self.is_alone:
            meet = self.terms.all(self.known, self.pending.agrees(touches[1]))
            if meet.value != 0 and not self.trusts:
                self.benign.append(KernelCheck("benign", meet, access.line, access, "write"))
        self._forget(access.array, [access.kind], lockstep)

    def _is_watched(self, thread: int, array: str) -> Term:
        """Return whether accesses of a thread to an array count now."""
        return self.terms.true if self.counting is None else self.counting.is_watched(thread, self.spaces[array])

    def _forget(self, array: str, flags: Iterable[Flag], lockstep: Term) -> None:
        """Order some pending accesses to an array before what follows, if both threads run in lockstep."""
        for flag in flags if lockstep.value != 0 else ():
            if (array, flag) in self.pending.keys and flag not in SETTLED:
                self.learn(self.pending.fence((array, flag), lockstep))

    def loosen(self, keys: Iterable[Key], condition: Term) -> None:
        """Make arbitrary which accesses of some kinds are pending, as rounds of a loop do, if a condition holds."""
        for key in sorted(set(keys).intersection(self.pending.keys)):
            self.learn(self.pending.loosen(key, self.terms.all(condition, self._is_watched(0, key[0]))))
            self.learn(self.terms.implies(self.pending.pending(key), self.may_share(key[0])))

    def call(self, call: Call, live: Pair) -> None:
        """Make arbitrary which accesses are pending, as far as a call may change that.

        What its barriers fence may only be forgotten. A function without a body may access arrays anywhere: so nothing
        may be pending there that races with this.
        """
        for array, kind in call.anywhere:
            for other in CONFLICTS[kind] if array in self.written else ():
                if (array, other) in self.pending.keys:
                    meets = self.terms.all(live[1], self.pending.pending((array, other)), self.may_share(array))
                    access = Access(kind, array, "", self.kernel.array(array).width, line=call.line)
                    place = self.pending.place(array, other)
                    fails = self.terms.all(self.known, meets)
                    self.check(KernelCheck("race", fails, call.line, access, other, place, len(self.logs)))
        for key in self.pending.keys:
            if self.spaces[key[0]] in call.fences and key[1] not in SETTLED and key not in call.flags:
                before = self.pending.pending(key)
                self.learn(self.pending.loosen(key, live[0]))
                self.learn(self.terms.implies(self.pending.pending(key), before))
        self.loosen(call.flags, live[0])
        self.contents.call(call, live)

    def speak_of_each_place(self) -> Iterator[None]:
        """Let claims speak of each place in turn that matters to a check; at other times, of an arbitrary place."""
        for words in self.pending.words_of_each_place():
            self._place_words = words
            yield
        self._place_words = None

    def _check_place(self, touch: ThreadAccess) -> None:
        """Check that no thread writes to a constant array and, if asked, that an access is inside its array."""
        access, live, offset, count = touch.access, touch.happens, touch.offset, touch.count
        terms, array = self.terms, self.kernel.array(access.array)
        if array.space == "constant" and access.kind != "read":
            self.check(KernelCheck("constant-write", terms.all(self.known, live), access.line, access, element=offset))
        if not self.options.check_bounds:
            return
        inside = terms.no(terms.apply("slt", (offset, terms.constant(0, ID_WIDTH))))
        if array.size is not None:
            end = terms.apply("add", (terms.extended(offset, 2 * ID_WIDTH), self._elements.length(touch)))
            inside = terms.all(inside, terms.apply("ule", (end, terms.constant(array.size, 2 * ID_WIDTH))))
        if count is not None:
            inside = terms.any(inside, terms.equal(count, terms.constant(0, ID_WIDTH)))
        fails = terms.all(self.known, live, terms.no(inside))
        self.check(KernelCheck("bounds", fails, access.line, access, element=offset))

    def barrier(
        self,
        barrier: Barrier,
        live: Pair,
        same: Sequence[Pair] = (),
        events: Sequence[Pair] = (),
        *,
        in_loop: bool = False,
    ) -> None:
        """Check that both threads reach the barrier or neither does, and assume this from here on.

        At a barrier of a group, this concerns threads of the same group only. Both must come with the same values. Then
        forget the logged accesses to the memories that the barrier fences, and what these hold. Copies of the events
        are as other accesses from here on. Arrivals may be counted instead.
        """
        terms = self.terms
        if self.counting is not None and self.counting.counts(barrier, in_loop=in_loop):
            self.counting.arrive(barrier, live)
            return
        together = self.same_group if barrier.scope == "group" else terms.true
        alike = terms.implies(terms.all(*live), terms.all(*(terms.equal(*pair) for pair in same)))
        meet = terms.implies(together, terms.all(terms.equal(*live), alike))
        if self.counting is not None:
            meet = terms.all(meet, terms.implies(terms.all(together, *live), self.counting.are_even()))
        self.check(KernelCheck("divergence", terms.all(self.known, terms.no(meet)), barrier.line))
        self.learn(terms.implies(self.both_entered, meet))
        for event, _ in events:
            self.pending.settle(event, live[0], self.same_group if self._waits_fence else terms.false)
        for array, kind in self.pending.keys:
            if self.spaces[array] in barrier.fences and kind not in SETTLED:
                passes = terms.all(live[0], together, self._is_watched(0, array))
                self.learn(self.pending.fence((array, kind), passes))
        self.contents.fence(barrier, live)

    def end(self) -> None:
        """Check, where both threads have ended, that they have met at each barrier whose arrivals are counted."""
        for line, fails in () if self.counting is None else self.counting.failing():
            self.check(KernelCheck("divergence", self.terms.all(self.known, fails), line))

    def words(self, thread: int, enabled: Term) -> dict[str, Term]:
        """Return the values of the names that invariants may use."""
        unlogged = {f"{kind}.{array.name}": self.terms.false for array in self.kernel.arrays for kind in FLAGS}
        unlogged |= {f"stored.{array.name}": self.terms.constant(0, array.width) for array in self.kernel.arrays}
        place_words = self.pending.words_of_any_place() if self._place_words is None else self._place_words
        if self.counting is not None:
            pending = {f"{flag}.{array}": self._is_watched(0, array) for array, flag in self.pending.keys}
            place_words = place_words | {
                name: self.terms.all(place_words[name], counts) for name, counts in pending.items()
            }
        here = {"enabled": enabled, "same_group": self.same_group}
        return self.ids[thread] | self.scalars | unlogged | place_words | here


def _size_of(name: str, sizes: dict[str, Term]) -> Term:
    word = {"lid": "lsize", "gid": "groups"}[name[:3]]
    return sizes[f"{word}.{name[-1]}"]


def _of_one_value(kernel: Kernel, accesses: Iterable[Access]) -> frozenset[str]:
    """Return the arrays of which each element gets the same number from whatever write of the kernel.

    Such a write is as wide as an element.
    """
    stored: dict[str, set[int | None]] = {}
    for access in accesses:
        if access.kind == "write":
            is_whole = access.width == kernel.array(access.array).width
            value = access.value.value if isinstance(access.value, Constant) and is_whole else None
            stored.setdefault(access.array, set()).add(value)
    return frozenset(array for array, numbers in stored.items() if len(numbers) == 1 and None not in numbers)
