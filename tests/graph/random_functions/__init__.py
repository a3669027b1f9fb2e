"""Random functions: what they are made of, the elements they get, and how two runs are compared."""
