"""Candidates for the invariants of loops, which nobody has to write.

`rules` has a module for each rule, and `loops` has what a rule is told of a loop. `values` are the formulas in which
both speak. `placement` puts the candidates into the kernel as claims, and `annotation_texts` writes them for a reader.
"""
