"""Take tests in from other sources, and give them out: imports, exports, and programs for devices."""
