"""The search for litmus tests: all tests of a question, those with given verdicts, suites of them, and proofs.

`engines` find tests, `enumeration` keeps and counts them, `directed` finds tests with given verdicts, `lattice` orders
verdicts by them, `suites` chooses some of them, `crosscheck` compares engines, and `completeness` proves that none is
missing.
"""
