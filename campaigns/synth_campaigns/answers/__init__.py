"""Campaigns for the command line: what somebody asks for, the run, and the answer. `synth_campaigns` does the work.

- `request` turns the arguments of a command into the settings and tests of a campaign.
- `work` runs a campaign until nothing is left or there is a reason to stop.
- `status` reads the results of a campaign, and has their JSON form.
"""
