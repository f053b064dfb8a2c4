"""Models that are Python objects, right and wrong ones, in packages installed as pip would do it."""

import itertools

CODE = """
class Base:
    def initial(self, threads): return (threads, frozenset(), frozenset())
    def step(self, state, t): return (state[0], state[1] | {t}, state[2])
    def terminate(self, state, t): return (state[0], state[1] | {t}, state[2] | {t})
    def fair(self, state, live): return self.chosen(live, *state)

def least(threads): return set(sorted(threads)[:1])
def upto(threads): return set(range(max(threads, default=-1) + 1))

class Unfair(Base):
    def chosen(self, live, n, stepped, ended): return ()
class Hsa(Base):
    def chosen(self, live, n, stepped, ended): return least(live)
class Obe(Base):
    def chosen(self, live, n, stepped, ended): return stepped
class Lobe(Base):
    def chosen(self, live, n, stepped, ended): return upto(stepped)
class HsaObe(Base):
    def chosen(self, live, n, stepped, ended): return stepped | least(live)
class Fair(Base):
    def chosen(self, live, n, stepped, ended): return live

class Queue(Base):
    "The two lowest that have not ended, by what it remembers itself."
    def chosen(self, live, n, stepped, ended): return sorted(set(range(n)) - ended)[:2]

class Even(Base):
    def chosen(self, live, n, stepped, ended): return [t for t in live if t % 2 == 0]
class First(Base):
    def chosen(self, live, n, stepped, ended): return {0}
class Fifth(Base):
    def chosen(self, live, n, stepped, ended): return {4} & live
class Many(Base):
    def chosen(self, live, n, stepped, ended): return live if n > 2 else ()
class AfterOne(Base):
    def chosen(self, live, n, stepped, ended): return live if 1 in stepped else ()

class Counting(Fair):
    def step(self, state, t): return (*state, t)
class Raises(Fair):
    def step(self, state, t): return state[7]
class Unhashable(Fair):
    def initial(self, threads): return []
class State:
    def __init__(self, number): self.number = number
    def __hash__(self): return 0
    def __eq__(self, other): raise ValueError("not comparable")
    def __repr__(self): return f"State({self.number})"
class Incomparable(Fair):
    def initial(self, threads): return State(threads)
    def step(self, state, t): return State(7)
class _State:
    def __repr__(self): raise ValueError("not shown")
class Unshown(Fair):
    def initial(self, threads): return _State()
class Exits(Fair):
    def initial(self, threads): raise SystemExit(0)
class Outside(Base):
    def chosen(self, live, n, stepped, ended): return {n}
class Words(Base):
    def chosen(self, live, n, stepped, ended): return ["0"]
class Partial:
    def initial(self, threads): return 0
class Needs(Fair):
    def __init__(self, places): pass

object_of_obe = Obe()
"""

_numbers = itertools.count()


def installed(folder, *classes):
    """Install a package with these classes into a folder on the path, and return a prefix.

    Each class is then registered as `prefix-CLASS`.
    """
    number = next(_numbers)
    (folder / f"own_models_{number}.py").write_text(CODE)
    info = folder / f"own_models_{number}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: own-models-{number}\nVersion: 1.0\n")
    entries = "\n".join(f"p{number}-{name} = own_models_{number}:{name}" for name in classes)
    (info / "entry_points.txt").write_text(f"[synth.models]\n{entries}\n")
    return f"p{number}-"
