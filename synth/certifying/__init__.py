"""Certificates: that the tests of a question are these and no others, so that a stranger can check it.

Per split there is a formula, written by `synth_encodings.plain` and followed by one clause for each listed test that
blocks it, and a proof that it has no model. docs/certificates.md explains both, and what must still be trusted.
"""


class Refuted(Exception):  # noqa: N818  (an answer, not an error: what was to be proven is not so)
    """The answer is no; the message is the reason, in one line."""
