"""A ranking as lines in the terminal (`report`), as files and as a page (`html`); advice from the arena (`advice`)."""
