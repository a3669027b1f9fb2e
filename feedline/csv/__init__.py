"""csv: comma-separated text as columns."""
