"""What runs work beside the thread that iterates: threads, processes, and who decides how many."""
