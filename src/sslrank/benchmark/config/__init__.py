"""The configuration: its models, how files are loaded, and messages about mistakes in them."""
