"""Find all tests of a question, keep those that it asks for, count them, and save them as a corpus."""
