"""Output of a ranking: terminal (`report`), files, page (`html`) and figures."""
