"""Addresses of the papers that the registry names."""

from sslrank.rankers.registry import RANKERS

#: By the text of :attr:`sslrank.rankers.registry.RankerInfo.paper`; for several papers, the address of the first that
#: has one.
ADDRESSES = {
    "Barkia, Elghazel, Aussem 2011": "https://doi.org/10.1109/ICDM.2011.129",
    "Borda 1781; Saeys et al. 2008": "https://doi.org/10.1007/978-3-540-87481-2_21",
    "Breiman 2001": "https://doi.org/10.1023/A:1010933404324",
    "Breiman 2001; Pedregosa et al. 2011": "https://doi.org/10.1023/A:1010933404324",
    "Chamma, Engemann, Thirion 2023": "https://arxiv.org/abs/2309.07593",
    "Feofanov, Devijver, Amini 2022": "https://doi.org/10.1007/s10489-021-03076-w",
    "Guyon et al. 2002": "https://doi.org/10.1023/A:1012487302797",
    "Hinton, Vinyals, Dean 2015": "https://arxiv.org/abs/1503.02531",
    "Kononenko 1994": "https://doi.org/10.1007/3-540-57868-4_57",
    "Kraskov et al. 2004; Ross 2014": "https://doi.org/10.1103/PhysRevE.69.066138",
    "Kursa, Rudnicki 2010": "https://doi.org/10.18637/jss.v036.i11",
    "Lundberg, Lee 2017": "https://arxiv.org/abs/1705.07874",
    "Meinshausen, Bühlmann 2010": "https://doi.org/10.1111/j.1467-9868.2010.00740.x",
    "Petković, Džeroski, Kocev 2020": "https://arxiv.org/abs/2008.03937",
    "Quinlan 1986; Fayyad, Irani 1993": "https://doi.org/10.1007/BF00116251",
    "Robnik-Šikonja, Kononenko 2003": "https://doi.org/10.1023/A:1025667309714",
    "Sechidis, Brown 2018": "https://doi.org/10.1007/s10994-017-5648-2",
    "Urbanowicz et al. 2018": "https://arxiv.org/abs/1711.08477",
    "Yuan, Lin 2006": "https://doi.org/10.1111/j.1467-9868.2005.00532.x",
    "Zhang, Lang 2022": "https://doi.org/10.1016/j.patcog.2021.108419",
    "Zhao, Anand, Wang 2019": "https://arxiv.org/abs/1908.05376",
    "Zhao, Lu, He 2008": "https://doi.org/10.1016/j.neucom.2007.06.014",
}


def paper_address(ranker):
    """Return the address of the paper of a registered ranker.

    Parameters
    ----------
    ranker : str
        Registered name.

    Returns
    -------
    str
        Empty if the ranker is not registered or no address is known.

    Examples
    --------
    >>> paper_address("genie3")
    'https://arxiv.org/abs/2008.03937'
    """
    return ADDRESSES.get(RANKERS[ranker].paper, "") if ranker in RANKERS else ""
