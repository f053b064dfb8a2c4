"""Engines that refute candidates before Houdini does, or beside it.

An engine may only remove a candidate that Houdini would remove, too. So the candidates that are left are the same with
all engines, if no solver gave up. `engine_names` has the engines and how they may be combined, `shared_refutations`
what they have in common, and `portfolio` lets them run.
"""
