"""Campaigns: run tests on devices, keep how each launch ended, and say what the launches show.

A campaign is a folder. docs/do/campaigns.md explains the words. These are the modules:

- `settings` and `campaign_file`: what a campaign shall do, as dataclasses and as a TOML file.
- `cells`: what to launch, and in which order.
- `folder` and `store`: what is in the folder of a campaign. `store` keeps the results.
- `run`: launches what is left. `busy` keeps processors busy meanwhile.
- `attempts`, `outcomes` and `results`: what the launches of each cell came to.
- `intervals` and `claims`: what the results say about a device.
"""
