"""Hierarchies of labels from the class attribute of Clus files."""

import numpy as np

from sslrank.core.messages import nearest

ROOT = "root"


def decode_paths(values):
    """Split ``a/b@c`` into the list of nodes of a row; None if missing."""
    return [
        None if value is None or value != value else [node.strip() for node in value.split("@") if node.strip()]
        for value in values
    ]


def label_table(nodes, values, form, fail):
    """Decode a hierarchical attribute: labels, their parents and the 0/1 table, closed upward; parents come first.

    `nodes` are the declared nodes: paths ``a/b/c`` (form "tree"; prefixes are optional, and a padding ``/0`` is an
    ordinary node) or pairs ``parent/child`` with the root ``root`` (form "dag"). `values` are the nodes of each row:
    paths, or names in a DAG; a row without a value (None) becomes NaN. ``fail(problem, row=..., advice=...)`` raises
    the error.
    """
    names, hierarchy = _tree(nodes) if form == "tree" else _dag(nodes, fail)
    label_of = {name: label for label, name in enumerate(names)}
    ancestors = []
    for label, parents in enumerate(hierarchy):
        ancestors.append({label}.union(*(ancestors[parent] for parent in parents)))
    y = np.zeros((len(values), len(names)))
    for row, value in enumerate(values):
        if value is None:
            y[row] = np.nan
            continue
        for node in value:
            if form == "dag" and node == ROOT:
                continue
            if node not in label_of:
                fail(f"class {node!r} is not declared{nearest(node, names)}", row=row)
            y[row, list(ancestors[label_of[node]])] = 1.0
    return names, hierarchy, y


def _tree(nodes):
    names = {}
    for node in nodes:
        steps = node.split("/")
        for depth in range(1, len(steps) + 1):
            names.setdefault("/".join(steps[:depth]), None)
    names = sorted(names, key=lambda name: name.count("/"))  # stable: parents first, else as declared
    label_of = {name: label for label, name in enumerate(names)}
    return names, [[label_of[name.rpartition("/")[0]]] if "/" in name else [] for name in names]


def _dag(nodes, fail):
    parents = {}
    for node in nodes:
        steps = node.split("/")
        if len(steps) != 2:
            fail(f"a hierarchy of form 'dag' is declared by pairs parent/child, found {node!r}")
        parent, child = (step.strip() for step in steps)
        parents.setdefault(child, [])
        if parent != ROOT:
            parents.setdefault(parent, [])
            if parent not in parents[child]:
                parents[child].append(parent)
    names, waiting = [], dict(parents)
    while waiting:
        ready = [name for name, above in waiting.items() if not any(parent in waiting for parent in above)]
        if not ready:
            fail(f"the hierarchy has a cycle through {', '.join(sorted(waiting)[:5])}")
        names.extend(ready)
        for name in ready:
            del waiting[name]
    label_of = {name: label for label, name in enumerate(names)}
    return names, [[label_of[parent] for parent in parents[name]] for name in names]
