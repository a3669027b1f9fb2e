"""What every test shares."""

from hypothesis import settings

# Time is no reason to fail: other people share the machine.
settings.register_profile("house", deadline=None, max_examples=60, print_blob=True)
settings.load_profile("house")
