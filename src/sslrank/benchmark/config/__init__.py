"""The configuration: its models, and how files are loaded and checked."""
