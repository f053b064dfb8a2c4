"""What all long work shares: worker processes, the order of their units, when to stop, and who is told of progress."""
