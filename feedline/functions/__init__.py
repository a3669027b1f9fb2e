"""``@feedline.function``: functions that are recorded once and replayed, and control by value."""
