"""What the workflow's scripts call: one function per job, from configuration to results page.

The scripts under workflow/scripts only pass file names and parameters on to this package, so every step can
be run and tested without Snakemake.
"""

from sslrank.core.extras import require

require("workflow", "the workflow")
