"""The operators of formulas: how they are spelt, how tightly they bind, and which may stand side by side.

The table follows the Rodin User's Handbook and the reference of the mathematical language (Metayer and Voisin, "The
Event-B Mathematical Language"). Where that language wants parentheses, so do we. We are more liberal in one place: a
quantifier needs no parentheses where it is the last operand.
"""

from __future__ import annotations

#: The ASCII spelling of each symbol, as Rodin's keyboard reads it. `<+` has a spelling of its own in Rodin's files.
SPELLINGS = {
    "<=>": "⇔", "=>": "⇒", "&": "∧", "or": "∨", "not": "¬", "!": "∀", "#": "∃", "%": "λ", "true": "⊤", "false": "⊥",
    ".": "·", "|": "∣", "|->": "↦", ",,": "↦", "oftype": "⦂",
    "/=": "≠", "<=": "≤", ">=": "≥", ":": "∈", "/:": "∉", "<:": "⊆", "/<:": "⊈", "<<:": "⊂", "/<<:": "⊄",
    "<->": "↔", "+->": "⇸", "-->": "→", ">+>": "⤔", ">->": "↣", "+->>": "⤀", "->>": "↠", ">->>": "⤖",
    "\\/": "∪", "/\\": "∩", "\\": "∖", "**": "×", "circ": "∘", "||": "∥", "><": "⊗",
    "<|": "◁", "<<|": "⩤", "|>": "▷", "|>>": "⩥", "~": "∼", "..": "‥", "-": "−", "*": "∗", "/": "÷",
    "NAT": "ℕ", "NAT1": "ℕ1", "INT": "ℤ", "POW": "ℙ", "POW1": "ℙ1", "UNION": "⋃", "INTER": "⋂",
    ":=": "≔", "::": ":∈", ":|": ":∣", "\ue100": "<<->", "\ue101": "<->>", "\ue102": "<<->>", "\ue103": "<+",
}  # fmt: skip
#: The symbols of their own, which need no other spelling.
SYMBOLS = (
    *dict.fromkeys(SPELLINGS.values()), "∅", "(", ")", "[", "]", "{", "}", ",", "=", "<", ">", ";", "+", "^",
)  # fmt: skip
#: How Rodin's files spell operators that Unicode lacks.
PRIVATE = {"<<->": "\ue100", "<->>": "\ue101", "<<->>": "\ue102", "<+": "\ue103"}

RELATIONS = ("=", "≠", "<", "≤", ">", "≥", "∈", "∉", "⊆", "⊂", "⊈", "⊄")
#: Sets of relations and of functions.
ARROWS = ("↔", "<<->", "<->>", "<<->>", "⇸", "→", "⤔", "↣", "⤀", "↠", "⤖")
#: Sets of functions: whether all of them are total, injective and surjective.
FUNCTIONS = {
    "⇸": (False, False, False), "→": (True, False, False), "⤔": (False, True, False), "↣": (True, True, False),
    "⤀": (False, False, True), "↠": (True, False, True), "⤖": (True, True, True),
}  # fmt: skip
#: The same for sets of relations.
RELATION_SETS = {"↔": (False, False), "<<->": (True, False), "<->>": (False, True), "<<->>": (True, True)}
SET_OPERATORS = ("∪", "×", "<+", "∘", "∥", "◁", "⩤", "∩", "∖", ";", "⊗", "▷", "⩥")
#: Infix operators with how tightly they bind.
PRIORITIES = {
    **dict.fromkeys(("⇔", "⇒"), 0),
    **dict.fromkeys(("∧", "∨"), 1),
    **dict.fromkeys(RELATIONS, 3),
    "↦": 4,
    **dict.fromkeys(ARROWS, 5),
    **dict.fromkeys(SET_OPERATORS, 6),
    "‥": 7,
    **dict.fromkeys(("+", "−"), 8),
    **dict.fromkeys(("∗", "÷", "mod"), 9),
    "^": 10,
}
NOT_PRIORITY, PREFIX_MINUS, POSTFIX, TIGHTEST = 2, 8, 11, 12
#: Operators that may follow each other without parentheses, although they bind equally tightly; they group to the left.
_SIDE_BY_SIDE = {
    "∧": "∧", "∨": "∨", "↦": "↦", **dict.fromkeys(ARROWS, "".join(ARROWS)),
    "∪": "∪", "×": "×", "<+": "<+", "∘": "∘", "∩": "∩∖▷⩥", ";": ";▷⩥", "◁": "∩∖;⊗▷⩥", "⩤": "∩∖;⊗▷⩥",
    **dict.fromkeys("+−", "+−"), **dict.fromkeys(("∗", "÷", "mod"), "∗÷mod"),
}  # fmt: skip
#: Operators that take any number of operands from two on.
MANY = frozenset({"∧", "∨", "+", "∗", "∪", "∩", ";", "∘", "<+"})
#: Words that stand before an operand in parentheses.
CALLS = ("dom", "ran", "card", "min", "max", "union", "inter", "finite", "bool", "partition", "ℙ", "ℙ1")
PREDICATE_OPERATORS = frozenset({"⇔", "⇒", "∧", "∨", "¬", *RELATIONS, "finite", "partition"})
#: Operators whose operands are predicates.
OF_PREDICATES = frozenset({"⇔", "⇒", "∧", "∨", "¬", "bool"})


def may_follow(left: str, right: str) -> bool:
    """Return whether `a left b right c` may be written without parentheses, where both bind equally tightly."""
    return right in _SIDE_BY_SIDE.get(left, "")
