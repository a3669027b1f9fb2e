"""What development needs beside the tests."""
