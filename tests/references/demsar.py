"""Scores printed by Demsar (2006), Statistical comparisons of classifiers over multiple data sets."""

import pandas as pd

# Demsar 2006, Table 6: AUC of C4.5 and three variants (-m, -cf, -m-cf) on 14 datasets.
AUC = pd.DataFrame(
    {
        "C4.5": [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1., .94, .619, .972, .957],
        "C4.5+m": [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1., .962, .666, .981, .978],
        "C4.5+cf": [.771, .590, .968, .654, .886, .916, .609, .563, .866, 1., .965, .614, .9751, .946],
        "C4.5+m+cf": [.798, .569, .967, .657, .898, .931, .685, .625, .875, 1., .962, .669, .975, .970],
    }
)  # fmt: skip
