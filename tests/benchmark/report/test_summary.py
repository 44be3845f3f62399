"""Which pictures a summary keeps."""

from sslrank.benchmark.report.summary import linked_pictures


def test_figures_are_those_linked_by_pages(tmp_path):
    (tmp_path / "results/findings").mkdir(parents=True)
    (tmp_path / "workflow/published/p").mkdir(parents=True)
    finding = "[a](../summaries/s/figures/curves/a.svg), [b](../summaries/s-other/figures/curves/b.svg)"
    (tmp_path / "results/findings/s.md.j2").write_text(finding)
    (tmp_path / "workflow/published/p/README.md").write_text("[c](x/summaries/s/published_figures/c.svg)")
    assert linked_pictures("s", tmp_path) == ["figures/curves/a.svg", "published_figures/c.svg"]
