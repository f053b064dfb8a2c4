"""Safe files: what is written is whole or not there; what the system refuses is told in one line. Knows no corpus."""
