"""How models compare: which promises more, where two differ, and which never notice a step that does nothing."""
