"""From the configuration to the list of jobs: their outputs, inputs and code."""
