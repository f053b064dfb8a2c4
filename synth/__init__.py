"""`synth`: complete synthesis of progress litmus tests.

>>> import synth
>>> result = synth.enumerate_tests(synth.question("2x2"))
>>> len(result.ids)
8
"""
