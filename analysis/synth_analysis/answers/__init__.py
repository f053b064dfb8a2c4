"""The answers about the launches of campaigns: what they show of each device, and what to launch next."""
