"""The command ``feedline``: one file per sub-command."""
