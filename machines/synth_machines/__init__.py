"""Event-B machines: read, check, state their proof obligations, and decide these over all or over finite values.

`formulas/` holds formulas, `components` what contexts and machines are, and `texts/` reads and writes them. `projects`
puts components together and finds the types. `obligations/` states what must be proved.
"""
