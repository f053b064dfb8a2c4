"""Turn a word of a command line or of a Python caller into the question, model, program or test that it names."""
