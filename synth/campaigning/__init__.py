"""Campaigns as commands and Python callers ask for them: `synth_campaigns` does the work.

`asking` turns words into settings and tests, `working` runs a campaign until it is done or must stop, and `answer` has
what is said of it.
"""
