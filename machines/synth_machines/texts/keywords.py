"""The key words of the text form. Any of them may be written in upper or lower case."""

from __future__ import annotations

CLAUSES = {
    "context": ("extends", "sets", "constants", "axioms"),
    "machine": ("refines", "sees", "variables", "invariants", "variant", "events"),
    "event": ("extends", "refines", "status", "any", "where", "when", "with", "witness", "then", "begin"),
}
STATUSES = ("ordinary", "anticipated", "convergent")
KEYWORDS = frozenset({*CLAUSES, *(word for words in CLAUSES.values() for word in words), *STATUSES, "theorem", "end"})
