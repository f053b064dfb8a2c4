"""Certificates of verdicts: a certificate proves why a program fails or passes, and a small checker can verify it.

    >>> from synth_checker.certificates.certification import certify
    >>> from synth_checker.models import models_named
    >>> from synth_checker.programs.normal import program_of_id
    >>> hsa, = models_named(["HSA"])
    >>> lasso = certify(program_of_id("01100002-01100002"), hsa.automaton(2), "weak")
    >>> [step.thread for step in lasso.steps], lasso.prefix
    ([1, 0], 1)

The idea is that of certifying algorithms (R. McConnell et al., Comput. Sci. Rev. 5, 2011). Another package,
`synth_search.completeness`, proves that a list of tests is complete.
"""
