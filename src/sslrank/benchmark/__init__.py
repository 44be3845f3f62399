"""The benchmark: from the configuration to the results page, one function per job of the workflow.

The scripts under workflow/scripts only pass file names and parameters on to this package, so every step can
be run and tested without Snakemake.
"""

from sslrank.core.extras import require

require("workflow", "the workflow")
