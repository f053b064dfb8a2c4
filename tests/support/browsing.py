"""Wait for a page in a browser, and ask axe what is wrong with it.

Playwright's own way to wait for an expression lets the page evaluate a text, which the policy of our page forbids.
"""

import time

PATIENCE_S = 60


def wait_until(page, expression, arg=None):
    """Wait until a JavaScript expression is true. It is a function if `arg` is given."""
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(expression, arg):
        if time.monotonic() > end:
            raise TimeoutError(f"never true: {expression}")
        time.sleep(0.02)


def violations(page, tools):
    """Return the rules of axe that a page breaks, each with some of the elements. `tools` has what npm installed."""
    page.evaluate((tools / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run()")
    return [
        (violation["id"], [node["html"][:150] for node in violation["nodes"]][:3]) for violation in found["violations"]
    ]
