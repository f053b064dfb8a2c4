"""All tests of a question: found, kept, counted and saved as a corpus."""
