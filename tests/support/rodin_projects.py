"""A small project of Rodin, written by hand: a machine with its obligations, and what the provers had done."""

CORE = "org.eventb.core."
#: The handle of the hypotheses that all obligations share.
SHARED = f"/p/m.bpo|{CORE}poFile#m|{CORE}poPredicateSet#ALLHYP"
MACHINE = f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<{CORE}machineFile {CORE}configuration="{CORE}fwd" version="5">
<{CORE}variable name="'" {CORE}identifier="x"/>
<{CORE}variable name="(" {CORE}identifier="s"/>
<{CORE}invariant name=")" {CORE}label="inv1" {CORE}predicate="x ∈ ℕ"/>
<{CORE}invariant name="*" {CORE}label="inv2" {CORE}predicate="s ⊆ ℤ ∧ (∀y·y ∈ s ⇒ 6 ÷ x ≥ y)"/>
<{CORE}event name="+" {CORE}convergence="0" {CORE}extended="false" {CORE}label="INITIALISATION">
<{CORE}action name="'" {CORE}assignment="x ≔ 1" {CORE}label="act1"/>
<{CORE}action name="(" {CORE}assignment="s ≔ ∅" {CORE}label="act2"/>
</{CORE}event>
<{CORE}event name="," {CORE}convergence="0" {CORE}extended="false" {CORE}label="up">
<{CORE}action name="'" {CORE}assignment="x ≔ x+1" {CORE}label="act1"/>
</{CORE}event>
</{CORE}machineFile>
"""
#: The goals as Rodin writes them, by the names of the obligations. That of inv2/WD is shorter than ours.
GOALS = {
    "inv2/WD": "s≠(∅ ⦂ ℙ(ℤ))⇒x≠0",
    "INITIALISATION/inv1/INV": "1∈ℕ",
    "INITIALISATION/inv2/INV": "(∅ ⦂ ℙ(ℤ))⊆ℤ∧(∀z⦂ℤ·z∈(∅ ⦂ ℙ(ℤ))⇒6 ÷ 1≥z)",
    "up/inv1/INV": "x+1∈ℕ",
    "up/inv2/INV": "s⊆ℤ∧(∀y⦂ℤ·y∈s⇒6 ÷ (x+1)≥y)",
}
STATUSES = {
    "inv2/WD": ("0", "false", "false"),
    "INITIALISATION/inv1/INV": ("1000", "false", "false"),
    "INITIALISATION/inv2/INV": ("1000", "true", "false"),
    "up/inv1/INV": ("1000", "false", "true"),
    "up/inv2/INV": ("500", "true", "false"),
    "gone/inv1/INV": ("1000", "false", "false"),
}


def obligations(goals=None):
    """Return a file of obligations."""
    sequents = "".join(
        f'<{CORE}poSequent name="{name}" {CORE}accurate="true" {CORE}poDesc="…">'
        f'<{CORE}poPredicateSet name="SEQHYP" {CORE}parentSet="{SHARED}"><{CORE}poPredicate name="PRD0" '
        f'{CORE}predicate="⊤"/></{CORE}poPredicateSet>'
        f'<{CORE}poPredicate name="SEQHYQ" {CORE}predicate="{goal}" {CORE}source="/p"/></{CORE}poSequent>'
        for name, goal in (GOALS if goals is None else goals).items()
    )
    shared = f'<{CORE}poPredicateSet name="ALLHYP"><{CORE}poIdentifier name="x" {CORE}type="ℤ"/></{CORE}poPredicateSet>'
    return f'<{CORE}poFile {CORE}poStamp="1">{shared}{sequents}</{CORE}poFile>'


def statuses():
    """Return a file of statuses."""
    found = "".join(
        f'<{CORE}psStatus name="{name}" {CORE}confidence="{confidence}" {CORE}psManual="{manual}" '
        f'{CORE}psBroken="{broken}"/>'
        for name, (confidence, manual, broken) in STATUSES.items()
    )
    return f"<{CORE}psFile>{found}</{CORE}psFile>"


def checked():
    """Return a file of the static checker."""
    names = f'<{CORE}scVariable name="x" {CORE}type="ℤ"/><{CORE}scVariable name="s" {CORE}type="ℙ(ℤ)"/>'
    return f'<{CORE}scMachineFile {CORE}accurate="true">{names}</{CORE}scMachineFile>'


def lay(folder, goals=None):
    """Write the project into a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "m.bum").write_text(MACHINE)
    (folder / "m.bpo").write_text(obligations(goals))
    (folder / "m.bps").write_text(statuses())
