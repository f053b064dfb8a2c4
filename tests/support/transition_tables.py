"""Transition systems that are no programs: tables, written by hand."""

from __future__ import annotations


class TableSystem:
    """A transition system as a table: for each state its successor by each live thread.

    The first state is the start. The system can be drawn, too.
    """

    title = "a table"

    def __init__(self, table, threads):
        self.table, self.threads = table, threads

    @property
    def start(self):
        return next(iter(self.table))

    def steps(self, state):
        return self.table[state]

    def lines(self, state):
        return [str(state)]

    def told(self, state, thread):
        return f"{state} by {thread}"

    def label(self, state, thread):
        return f"{state} to {self.table[state][thread]}"


#: Two threads take a lock, leave it and end: first that of thread 0, then that of thread 1. Who waits spins.
SPIN_LOCK = TableSystem(
    {
        "try try": {0: "hold try", 1: "try hold"},
        "hold try": {0: "end try", 1: "hold try"},
        "try hold": {0: "try hold", 1: "try end"},
        "end try": {1: "end hold"},
        "end hold": {1: "end end"},
        "try end": {0: "hold end"},
        "hold end": {0: "end end"},
        "end end": {},
    },
    2,
)
