"""Configuration of the documentation; `make docs` builds it into results/docs."""

import sys
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from matplotlib.figure import Figure

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

import pages  # noqa: E402
from sphinx_gallery.scrapers import figure_rst  # noqa: E402

import sslrank  # noqa: E402

project = "sslrank"
author = copyright = "The sslrank developers"
version = release = sslrank.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = [
    "examples",
    "guide/generated/*",
    "start/generated/*",
    "gallery/*.ipynb",
    "gallery/*.py",
    "paper/*",
    "README.md",
]
nitpicky = False

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist", "substitution"]
suppress_warnings = ["config.cache"]  # the order of the gallery is a function

autosummary_generate = False  # pages.py writes one page for each module
autodoc_default_options = {"members": True, "show-inheritance": True}
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False


def show_figures(block, block_vars, gallery_conf):
    """Save the figures that a block of a script has assigned; our charts are not pyplot figures."""
    paths = []
    for value in block_vars["example_globals"].values():
        if isinstance(value, Figure) and not hasattr(value, "_is_shown"):
            value._is_shown = True
            paths.append(next(block_vars["image_path_iterator"]))
            value.savefig(paths[-1], dpi=150, bbox_inches="tight")
    return figure_rst(paths, gallery_conf["src_dir"])


sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "plot_gallery": True,
    "write_computation_times": False,
    "image_scrapers": (show_figures,),
    "thumbnail_size": (400, 280),
}

highlight_language = "none"  # blocks without a language are commands and output

html_theme = "pydata_sphinx_theme"
html_context = {"default_mode": "auto"}  # bright or dark as the browser is
html_title = f"sslrank {version}"
html_static_path = ["_static"]
html_css_files = ["sslrank.css"]
html_show_sourcelink = False
html_copy_source = False
html_math_renderer = "mathml"  # MathJax would be fetched
html_show_search_summary = False  # it is fetched, which browsers refuse to pages that are opened from disk
html_theme_options = {
    "logo": {"text": "sslrank"},
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "header_links_before_dropdown": 7,
    "navbar_align": "left",
    "article_header_start": ["breadcrumbs"],
    "secondary_sidebar_items": {"**": ["page-toc"], "index": []},
    "footer_start": ["copyright"],
    "footer_end": [],
    "icon_links": [],
}
html_sidebars = {"index": [], "changelog": []}


def skip_requests(app, what, name, obj, skip, options):
    """Leave out the methods that scikit-learn adds to every class for metadata routing."""
    return True if name.startswith("set_") and name.endswith("_request") else skip


def keep_bars(app, what, name, obj, options, lines):
    """Keep bars as in |S|, which Sphinx takes for substitutions."""
    lines[:] = [line if "``" in line else line.replace("|", "\\|") for line in lines]


def write_math(is_block):
    """Write a formula as MathML, which browsers draw by themselves."""

    def visit(translator, node):
        formula = tex2mathml(node.astext(), as_block=is_block)
        translator.body.append(f"<div>{formula}</div>" if is_block else formula)
        raise nodes.SkipNode

    return visit, None


def setup(app):
    """Write the generated pages before Sphinx looks for its sources."""
    app.connect("config-inited", lambda app, config: pages.write_all(HERE))
    app.add_html_math_renderer("mathml", write_math(False), write_math(True))
    app.connect("autodoc-skip-member", skip_requests)
    app.connect("autodoc-process-docstring", keep_bars)
