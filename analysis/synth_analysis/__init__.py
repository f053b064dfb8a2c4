"""Analysis: from the launches of campaigns to sentences about devices, with the evidence for each.

docs/campaigns.md explains the words. These are the modules:

- `summary`: the claims of a device in short.
"""
