"""What there is to say about one program or one model."""
