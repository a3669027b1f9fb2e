"""What the command line does, as functions that anyone can call."""
