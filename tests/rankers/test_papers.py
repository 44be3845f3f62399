"""Addresses of papers belong to registered rankers."""

import re

from sslrank.rankers.papers import ADDRESSES, paper_address
from sslrank.rankers.registry import RANKERS


def test_paper_addresses_are_registered():
    papers = {info.paper for info in RANKERS.values()}
    assert set(ADDRESSES) <= papers
    assert all(
        re.match(r"https://(doi\.org/10\.\d+/|arxiv\.org/abs/\d)\S+$", address) for address in ADDRESSES.values()
    )
    assert paper_address("agreement:Agreement") == ""
