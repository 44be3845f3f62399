"""``python -m sslrank``: the command line without the installed script."""

import sys

from sslrank.cli import main

sys.exit(main())
