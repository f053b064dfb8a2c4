"""Campaigns: tests are run on devices, every launch is kept, and the results say what a device was seen to guarantee.

A campaign is a folder. `settings` says what is asked for, `cells` what is to be run, `store` keeps what came of it, and
`running` runs what is left. `claims` says what the launches show. docs/campaigns.md has the words.
"""
