"""Which progress models a machine guarantees, if the machine is read as a scheduler.

`scheduler_parts` says how a machine is read as a scheduler, and `fairness` which of its events a run must not neglect
without end. `untimed` leaves the clock out. `graph` has the states of a small setting. `recurrence` searches a graph
for a fair run that goes on without end, `state_search` for one that neglects a thread, and `litmus` for one on which a
litmus test does not end. `observer` has the automaton of a model observe a graph.

`premises` states what must be proved so that a machine guarantees a model for every setting. Its parts are
`watched`, `memberships`, `ranks` and `stage_premises`. docs/understand/semantics.md has the definitions and the proof
of the rule.
"""
