"""Wait for a page in a browser.

Playwright's own way to wait for an expression lets the page evaluate a text, which the policy of our page forbids.
"""

import time

PATIENCE_S = 60


def wait_until(page, expression, arg=None):
    """Wait until a JavaScript expression is true. It is a function if `arg` is given."""
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(expression, arg):
        assert time.monotonic() < end, f"never true: {expression}"
        time.sleep(0.02)
