"""Random cases; ``FUZZ_CASES=20000 FUZZ_SEED=7`` tries more than `make test` does, ``FUZZ_CASES=417:418`` one again."""

import os

SEED = int(os.environ.get("FUZZ_SEED", 0))


def cases(*usual):
    """Numbers of the cases to try."""
    asked = os.environ.get("FUZZ_CASES")
    return range(*map(int, asked.split(":"))) if asked else usual
