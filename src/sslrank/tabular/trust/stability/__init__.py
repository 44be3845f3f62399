"""How much a ranking depends on the rows: half-samples, and curves on held-out rows."""
