"""Names that somebody may give to tests, files and devices to break what shows them."""

#: Names that break what does not escape them.
HOSTILE = [
    "</script><script>alert(1)</script>",
    "<!--",
    "<svg><foreignObject><img src=x onerror=alert(2)>",
    'x", URL="javascript:alert(3)", label="',
    "\u202eevil\u2066",
    "a\0b",
    "long " * 2000,
    "{{data}}",
]
#: The same as a page shows them: a letter that can't be printed is an escape.
ON_A_PAGE = ["".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in name) for name in HOSTILE]
