"""One module per rule: files in, files out. The scripts of the workflow call these functions."""
