"""The subcommands about a table of one's own, and their options."""

from sslrank.core.extras import require

require("readers", "the command sslrank")
