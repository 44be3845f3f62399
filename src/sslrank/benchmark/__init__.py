"""The benchmark: from the configuration to the results page, one function per job of the workflow.

The script of all rules, workflow/scripts/step.py, only passes file names and parameters to this package, so every step
can run and be tested without Snakemake.
"""

from sslrank.core.extras import require

require("workflow", "the workflow")
