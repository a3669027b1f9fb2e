"""Small faults, planted one at a time: do the tests notice?"""
