"""Output of a ranking: terminal (`report`), files and page (`html`)."""
