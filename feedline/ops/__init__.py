"""One file per transformation or source: its Dataset method, its node and its operator."""
