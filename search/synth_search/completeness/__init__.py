"""Certificates that a list has all tests of a question and no other programs, so that a stranger can check this.

Each split has a formula and a proof. `synth_encodings.plain` writes the formula, and after it comes a clause for each
listed test, which excludes that test. The proof shows that nothing satisfies the formula.
docs/understand/certificates.md explains both, and what a reader must still trust.
"""


class RefutedClaim(Exception):  # noqa: N818  (an answer and not an error)
    """Raised if the claim to be proven is false; the message gives the reason in one line."""
