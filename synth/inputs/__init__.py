"""What a word that somebody gives names: a question, a model, a program, a test."""
