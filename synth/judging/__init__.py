"""What there is to say about one program or one model, and whether all who can say it agree."""
