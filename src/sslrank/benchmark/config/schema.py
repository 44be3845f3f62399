"""Write the JSON schema of config.yaml, with which editors complete and check a configuration."""

import json
from pathlib import Path

from sslrank.benchmark.config.models import Config

#: Below the root of the repository; a line ``# yaml-language-server: $schema=...`` names it to an editor.
SCHEMA = "workflow/schemas/config.schema.json"


def schema_text():
    """Return the schema as JSON."""
    return json.dumps({"title": "Configuration"} | Config.model_json_schema(), indent=1) + "\n"


if __name__ == "__main__":
    Path(SCHEMA).write_text(schema_text(), encoding="utf-8")
