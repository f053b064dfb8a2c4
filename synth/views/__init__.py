"""Views of answers: the same answer as text for a terminal, and what its JSON looks like.

A command computes an answer, a typed value that lives near the code that computes it. A view is a function that takes
the answer and gives lines; it prints nothing. The command line chooses a view and prints it (`synth.cli.printing`).
The JSON of an answer is a type, too, which lives next to the answer; `schema` makes a JSON Schema of each.
"""
