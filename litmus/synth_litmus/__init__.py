"""Litmus tests as people ask about them: read from words, judged, explained and drawn.

`inputs` turns words into programs, models and questions. `facts` says what is known of a program or a model,
`explanation` why a verdict holds, and `lts` which states a program reaches.
"""
