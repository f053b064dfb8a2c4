"""Tests that come from elsewhere or go there: imports, exports, and programs for devices."""
