"""The inner loops. Each file holds a kernel's Python twin and picks the native one if built."""
