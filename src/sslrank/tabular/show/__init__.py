"""A ranking as lines in the terminal (`report`), as files and as a page (`html`)."""
