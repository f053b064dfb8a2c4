"""Comparisons of models: which promises more, where two models differ, and which models ignore no-ops."""
