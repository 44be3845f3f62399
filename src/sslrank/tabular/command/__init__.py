"""The subcommands for a table of your own, and their options."""

from sslrank.core.extras import require

require("readers", "the command sslrank")
