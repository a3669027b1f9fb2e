"""User functions: what they do to arrays, recorded, proved, and run over whole blocks."""
