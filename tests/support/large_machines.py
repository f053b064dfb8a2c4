"""Machines of any size: variables in pairs, four invariants and an event for each pair, and a refinement."""


def text(pairs):
    """Return a context, a machine and its refinement, as text. All obligations hold; there are ten for each pair."""
    numbers = range(pairs)
    lines = ["context c sets S constants k f axioms @axm1 k ∈ ℕ1 @axm2 f ∈ 0 ‥ k → ℤ end", "machine m sees c variables"]
    lines += [f"x{i} s{i}" for i in numbers]
    lines.append("invariants")
    for i in numbers:
        lines.append(f"@i{i} x{i} ∈ 0 ‥ k @j{i} s{i} ⊆ S @l{i} finite(s{i})")
        lines.append(f"@o{i} x{i} = 0 ⇒ s{i} = ∅ ∨ x{(i + 1) % pairs} ≥ 0")
    lines.append("events event INITIALISATION then")
    lines += [f"@a{i} x{i} ≔ 0 @b{i} s{i} ≔ ∅" for i in numbers]
    lines.append("end")
    for i in numbers:
        lines.append(f"event up{i} any e where @g x{i} < k @h e ∈ S @w f(x{i}) > 0")
        lines.append(f"then @a x{i} ≔ x{i} + 1 @b s{i} ≔ s{i} ∪ {{e}} end")
    lines.append("end machine r refines m sees c variables")
    lines += [f"x{i} s{i} y{i}" for i in numbers]
    lines.append("invariants")
    lines += [f"@q{i} y{i} = x{i}" for i in numbers]
    lines.append("events event INITIALISATION extends INITIALISATION then")
    lines += [f"@c{i} y{i} ≔ 0" for i in numbers]
    lines.append("end")
    lines += [f"event up{i} extends up{i} then @c y{i} ≔ y{i} + 1 end" for i in numbers]
    return "\n".join([*lines, "end"])
