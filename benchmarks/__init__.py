"""Speed measurements of paretree; nothing here is imported by the package itself.

`python -m benchmarks.fronts --help` lists what can be measured; README.md says how to read the results.
"""
