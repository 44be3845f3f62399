"""Print a hash of a few random fits of each ranker: two builds of the same code print the same on one machine.

cd tests; python -m fuzz.digest
"""

import contextlib
import hashlib
import warnings

from fuzz.rankers import Refused, fit, make_case
from sslrank import available_rankers

FITS = 20


def main():
    """Print each ranker with its hash."""
    warnings.simplefilter("ignore")
    for name in available_rankers():
        digest = hashlib.sha256()
        for number in range(FITS):
            case = make_case(name, 0, number)
            with contextlib.suppress(Refused):
                digest.update(fit(case, case.X, case.y).tobytes())
        print(name, digest.hexdigest())


if __name__ == "__main__":
    main()
