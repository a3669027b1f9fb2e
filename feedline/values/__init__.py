"""values: what users hold: tensors, their dtypes and their shapes."""
