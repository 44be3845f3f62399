"""A ranking as lines on the terminal (`report`), as files and as a page (`html`); what the arena says (`advice`)."""
