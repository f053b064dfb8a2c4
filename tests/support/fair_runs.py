"""Fair runs of a machine, found by brute force: the slow and obvious twin of `synth_machines.guarantees`.

A set of states and events can be visited for ever exactly if each of the states leads to each other by these events. A
fair run has some set of strongly fair events that are possible only finitely often. So we try each such set: we leave
out all states in which one of its events is possible, and look at each largest set of states that lead to each other.
It shares no code with the search for recurrent sets.
"""

import itertools

MODELS = {
    "unfair": lambda _live, _stepped: set(),
    "HSA": lambda live, _: set(sorted(live)[:1]),
    "OBE": lambda live, stepped: live & stepped,
    "LOBE": lambda live, stepped: {thread for thread in live if any(thread <= other for other in stepped)},
    "HSA+OBE": lambda live, stepped: (live & stepped) | set(sorted(live)[:1]),
    "fair": lambda live, _: set(live),
}


class Twin:
    """All pairs of a state and the threads that have stepped, and for each event instance the pairs after it."""

    def __init__(self, animation, blocks, weak, strong, step="Thread_running", ended="b_end"):
        self.animation = animation
        self.blocks = set(range(blocks))
        self.ended = ended
        self.step = step
        starts = {(start.state, self.begin()) for start in animation.starts()}
        self.steps, todo = {}, list(starts)
        while todo:
            pair = todo.pop()
            if pair in self.steps:
                continue
            self.steps[pair] = {}
            for move in animation.steps(pair[0])[0]:
                found = {(move.state, history) for history in self.histories(pair, move)}
                self.steps[pair].setdefault((move.event, move.parameters), set()).update(found)
                todo.extend(found)
        names = {name for row in self.steps.values() for name in row}
        self.weak = {name for name in names if name[0] in weak}
        self.strong = {name for name in names if name[0] in strong}

    def begin(self):
        return frozenset()

    def histories(self, pair, one):
        """What is known of the past after a step of the machine; nothing if the step contradicts what was known."""
        return [pair[1] | {dict(one.parameters)["m"]} if one.event == self.step else pair[1]]

    def live(self, pair):
        states = dict(self.animation.values(pair[0])["blocsArray"])
        return {block for block in self.blocks if str(states.get(block)) != self.ended}

    def guarantees(self, model):
        """Whether no fair run always owes a thread a step that it never takes."""
        owed = {pair: self.fair(model, pair) for pair in self.steps}
        return not any(self._neglects(thread, owed) for thread in self.blocks)

    def fair(self, model, pair):
        return MODELS[model](self.live(pair), set(pair[1]))

    def _neglects(self, thread, owed):
        mine = {name for row in self.steps.values() for name in row if name[0] == self.step}
        mine = {name for name in mine if dict(name[1])["m"] == thread}
        inside = {pair for pair in self.steps if thread in owed[pair]}
        offered = {name for pair in inside for name in self.steps[pair]} & self.strong
        for size in range(len(offered) + 1):
            for never in itertools.combinations(sorted(offered, key=str), size):
                kept = {pair for pair in inside if not self.steps[pair].keys() & set(never)}
                if any(self._is_fair(some, set(never), mine) for some in self._classes(kept, mine)):
                    return True
        return False

    def _classes(self, kept, avoided):
        """The largest sets of pairs that lead to each other, each found from all that a pair leads to and back."""
        after = {
            pair: {to for name, row in self.steps[pair].items() if name not in avoided for to in row & kept}
            for pair in kept
        }
        before = {pair: set() for pair in kept}
        for pair, row in after.items():
            for to in row:
                before[to].add(pair)
        left = set(kept)
        while left:
            first = next(iter(left))
            found = _reached(first, after) & _reached(first, before)
            left -= found
            yield found

    def _is_fair(self, some, never, avoided):
        taken = {name for pair in some for name, row in self.steps[pair].items() if row & some} - avoided
        always = set.intersection(*(set(self.steps[pair]) for pair in some))
        sometimes = set.union(*(set(self.steps[pair]) for pair in some))
        return not (always & self.weak) - taken and not (sometimes & self.strong) - never - taken


class AutomatonTwin(Twin):
    """The same for an automaton. Of the past we know its state, and of some threads how their last step was guessed.

    A guess that an event contradicts leads nowhere. The event is possible all the same, as far as fairness goes.
    """

    def __init__(self, animation, blocks, weak, strong, automaton, reading):
        self.automaton, self.reading = automaton, reading
        super().__init__(animation, blocks, weak, strong, reading.step)

    def begin(self):
        return 0, frozenset()

    def histories(self, pair, one):
        at, guesses = pair[1][0], dict(pair[1][1])
        thread = dict(one.parameters).get("m")
        says = "last" if one.event in self.reading.ends else None
        if one.event == self.step or one.event in self.reading.goes_on:
            says = "live"
        if says and guesses.pop(thread, says) != says:
            return []
        died = self.live(pair) - self.live((one.state, None))
        if any(guesses.pop(other, "last") != "last" for other in died):
            return []
        if one.event != self.step or thread not in self.blocks:  # the step of no thread is none
            return [(at, frozenset(guesses.items()))]
        live, last = self.automaton.steps[at][thread], self.automaton.ends[at][thread]
        if live == last:
            return [(live, frozenset(guesses.items()))]
        if thread in died:
            return [(last, frozenset(guesses.items()))]
        return [(to, frozenset({**guesses, thread: word}.items())) for word, to in (("live", live), ("last", last))]

    def fair(self, _, pair):
        live = self.live(pair)
        some = self.automaton.fair[pair[1][0]][sum(1 << thread for thread in live)]
        return {thread for thread in live if some >> thread & 1}


def _reached(first, edges):
    met, todo = {first}, [first]
    while todo:
        for to in edges[todo.pop()]:
            if to not in met:
                met.add(to)
                todo.append(to)
    return met
