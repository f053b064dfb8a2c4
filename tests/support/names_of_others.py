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
