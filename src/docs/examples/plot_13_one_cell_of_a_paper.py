"""
Reproducing one cell of a paper
===============================

Table 3 of Slavkov et al. (2018) adds noise to a perfect ranking of generated data and reports the distance of the noisy
rankings from the true one. This needs no dataset, so it can be computed here, with the definitions and numbers of
rankings of the publication.
"""

import pandas as pd

from sslrank.evaluation.synthetic import ground_truth, noisy_relevance, ranking_distance

printed = {0.05: 0.100, 0.1: 0.171, 0.15: 0.252, 0.2: 0.320, 0.3: 0.432, 0.5: 0.652, 1.0: 1.048}

truth = ground_truth("combined", 100)
rows = []
for theta, value in printed.items():
    noisy = [noisy_relevance(truth, theta, random_state=seed) for seed in range(100)]
    rows.append((f"theta = {theta:g}", value, ranking_distance(truth, noisy)))
table = pd.DataFrame(rows, columns=["item", "published", "reproduced"])
table.round(3)

# %%

axes = table.set_index("item")[["published", "reproduced"]].plot(
    style=["D", "o"], ylabel="distance from the true ranking"
)
figure = axes.figure

# %%
# Every table of the four publications is compared in this way, by the workflow, on real data:
# :doc:`/reproductions/generated/index`.
