"""Views of answers: each turns an answer into text for a terminal, or describes its JSON.

A command computes an answer, a typed value that is defined near the code that computes it. A view is a function that
takes the answer and yields lines; it prints nothing. The command line chooses a view and prints it
(`synth.cli.printing`). The JSON of an answer is a type, too, which stands next to the answer. `schema` makes a JSON
Schema of each.
"""
