"""Models other than the six: as texts, and as functions of histories that follow the sentences of their meaning."""

from synth_checker.models import further_model

MINE = "mine = live & (stepped | lowest(live - stepped))"
TEXT = """\
# A thread that steps while the place is free gets it, and keeps it until it ends; who has it goes on.
resident = automaton
  set inside
  counter free 0..1 = 1
  state only
    fair inside
    step of live - inside if free > 0: inside = inside | it; free - 1
    end of inside: inside = inside - it; free + 1  // and the place is free again

# The thread that stepped last goes on.
last = automaton
  set last
  state only
    fair last
    step of all: last = it
    end of all: last = none
"""

BLINK = """\
blink = automaton
state on
fair live
step of all: go off
end of all: go off
state off
fair none
step of all: go on
end of all: go on
"""


def resident(places):
    """Return the text of the model with this many places."""
    return TEXT.split("\n\n", maxsplit=1)[0].replace("0..1 = 1", f"0..{places} = {places}")


def fair_mine(_, history, live):
    stepped = {t for t, _ in history}
    return {t for t in live if t in stepped or all(t <= other for other in live - stepped)}


def fair_resident(places, history, live):
    inside = []
    for t, ends in history:
        if t in inside:
            if ends:
                inside.remove(t)
        elif not ends and len(inside) < places:
            inside.append(t)
    return live & set(inside)


def fair_last(_, history, live):
    return {t for t, ends in history[-1:] if not ends} & live


def fair_blink(_, history, live):
    return set() if len(history) % 2 else live


def fair_highest(_, history, live):  # noqa: ARG001
    return set(sorted(live)[-1:])


def fair_round_robin(_, history, live):
    """Return the threads that have not stepped in this round; when there is none, the next round begins."""
    alive = live | {t for t, ends in history if ends}
    waiting = set(alive)
    for t, ends in history:
        waiting.discard(t)
        if ends:
            alive.discard(t)
        if not waiting:
            waiting = set(alive)
    return set(sorted(waiting)[:1])


#: Name -> text, the threads guaranteed after a history of (thread, whether it ended with the step), and places.
OWN = {
    "mine": (MINE, fair_mine, 0),
    "resident 1": (resident(1), fair_resident, 1),
    "resident 2": (resident(2), fair_resident, 2),
    "blink": (BLINK, fair_blink, 0),
    "highest first": (further_model("highest-first").text, fair_highest, 0),
    "resident-3": (further_model("resident-3").text, fair_resident, 3),
    "round robin": (further_model("round-robin").text, fair_round_robin, 0),
    "last": (TEXT.split("\n\n")[1], fair_last, 0),
}
