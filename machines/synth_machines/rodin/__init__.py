"""Components as the XML files of Rodin: contexts in `*.buc` and machines in `*.bum`, read and written.

component = read_component(data, "kernel")
data = written_component(component)

`obligation_files` also reads what Rodin itself computes: obligations (`*.bpo`) and how far they are proved (`*.bps`).
"""
