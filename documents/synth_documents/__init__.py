"""Documents, drawings and words: what every package needs to show an answer.

It knows no litmus test, no kernel and no device. `phrases` writes numbers and lists in words, `lines` and
`columns` lay out text for a terminal, `document` is a document with sections, tables and pictures, and `graphs` draws.
"""
