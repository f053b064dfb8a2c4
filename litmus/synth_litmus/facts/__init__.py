"""Collect the facts about one program or one model."""
