"""How it runs: operators and the streams between them. Knows no transformation by name."""
