"""Programs: what they are, their text, normal form and ids, their shapes, and the rules that tests keep."""
