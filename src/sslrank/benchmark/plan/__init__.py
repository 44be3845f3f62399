"""From the configuration to the list of jobs: what is to be made, from what, and by which code."""
