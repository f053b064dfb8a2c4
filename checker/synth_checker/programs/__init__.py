"""Programs: their types, text form, normal form and ids, their shapes, and the rules that make a program a test."""
