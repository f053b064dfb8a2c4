"""Analysis: from the launches of campaigns to sentences about devices, with the evidence for each.

docs/do/campaigns.md explains the words. These are the modules:

- `device_results`: the results of one or many campaigns, by device.
- `significance` and `dependence`: whether launches depend on each other.
- `summary`: the claims of a device in short.
- `transfers`: which cells do not count because a verdict may not hold of their launches.
- `patterns`: what the hangs of a cell show by who had finished.
- `frequency`: how many tests hang never, sometimes or always.
- `verdict_shares`: conformance and distinguishing tests of each verdict.
- `correction`, `cell_comparison`: p-values for their number, and what changed between two databases.
- `power`: which change of a rate would have been found.
- `table`: a table, which views write as text or draw.
- `hypotheses`: what a device may guarantee. `belief`: how probable each of these is. `evidence`: what campaigns saw.
- `next_test`: which launches tell most next. `informative_order`: the order `informative` of a campaign.
- `schedulers`: a family of simulated schedulers. `reproduction`: which of them have the results of a device.
  `telling_test`: which test tells schedulers apart.
"""
