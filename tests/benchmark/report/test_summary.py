"""Which pictures are drawn, and which a summary keeps."""

import pandas as pd

from sslrank.benchmark.report.figures import published_figures
from sslrank.benchmark.report.summary import linked_pictures


def test_figures_are_those_linked_by_pages(tmp_path):
    (tmp_path / "results/findings").mkdir(parents=True)
    (tmp_path / "workflow/published/p").mkdir(parents=True)
    finding = "[a](../summaries/s/figures/curves/a.svg), [b](../summaries/s-other/figures/curves/b.svg)"
    (tmp_path / "results/findings/s.md.j2").write_text(finding)
    (tmp_path / "workflow/published/p/README.md").write_text("[c](x/summaries/s/published_figures/c.svg)")
    assert linked_pictures("s", tmp_path) == ["figures/curves/a.svg", "published_figures/c.svg"]


def test_compared_tables_with_both_values_have_a_figure(tmp_path):
    values = pd.DataFrame({"published": [0.1, 0.2], "reproduced": [0.1, 0.3], "quantity": "auc"})
    values.to_csv(tmp_path / "both.csv", index=False)
    values.assign(published=None).to_csv(tmp_path / "ours.csv", index=False)
    published_figures(tmp_path, tmp_path / "figures", {name: {"title": name} for name in ("both", "ours")})
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["both.svg"]
