"""Output of a ranking: `terminal`, files, page (`html`) and figures."""
