"""``sslrank rerun``: delete fits of a study, so that Snakemake computes them again, and keep the others."""

import json

import pandas as pd
import pyarrow.parquet as pq

from sslrank.benchmark.partial_results import FOLDER, partial_results_path, saved_results, write_partial_results
from sslrank.core.errors import DataError

#: Files to delete in the study's folder: rankings and all that depends on them.
REMADE = ("rankings/{pair}.*", "scores/{pair}.*", "datasets/{dataset}.*", "collected/*", "report.html")


def delete_fits(study, selection, *, only_failed=False):
    """Delete the chosen fits in a study's folder; return their number.

    `selection` has the given dataset, method and L; with `only_failed`, only failed or timed-out fits of these are
    deleted. Raises a DataError if there are none.
    """
    tables, folder = {}, study.resolve()
    # Fits of a stopped job, and those that an earlier call has kept.
    for path in (folder.parents[1] / FOLDER / "results" / folder.name / "rankings").glob("*/*.parquet.pickle"):
        rows = [{"L": L} | row for (L, *_), _, (row, _) in saved_results(path)]
        if rows:
            tables[path.parent.name, path.name.removesuffix(".parquet.pickle")] = pd.DataFrame(rows)
    for path in (study / "rankings").glob("*/*.status.csv"):
        fits = pd.read_csv(path, dtype={"L": str, "message": str}, keep_default_na=False)
        tables[path.parent.name, path.name.removesuffix(".status.csv")] = fits
    if not tables:
        raise DataError("has no rankings", file=study, advice="Archived results run again without archive=")
    fits = pd.concat(tables, names=["dataset", "method", "fit"]).reset_index()
    is_selected = pd.Series(True, fits.index)
    for key, name in selection.items():
        if name not in (names := fits[key].unique()):
            raise DataError(f"{study} has no rankings of {key} {name}; it has: {', '.join(sorted(names)) or 'none'}")
        is_selected &= fits[key] == name
    if only_failed:
        is_selected &= fits["status"].isin(["failed", "timeout"])
    if not is_selected.any():
        problem = "every fit of these rankings succeeded, or is not supported" if only_failed else "has no rankings"
        raise DataError(problem, file=study)
    for (dataset, method), rows in fits[is_selected].groupby(["dataset", "method"]):
        rest = fits[~is_selected & (fits["dataset"] == dataset) & (fits["method"] == method) & (fits["status"] == "ok")]
        _save_others(study, dataset, method, rest)
        # With all that depends on them: Snakemake does not make what only a finished file has needed.
        for pattern in [*REMADE, *(f"exchange/{{pair}}/L{L}.csv" for L in rows["L"].unique())]:
            for path in study.glob(pattern.format(pair=f"{dataset}/{method}", dataset=dataset)):
                path.unlink()
    return int(is_selected.sum())


def _save_others(study, dataset, method, fits):
    """Keep some fits for the ranking job, which continues after them; without any, the file may be damaged."""
    root = study.resolve().parents[1]
    output = f"results/{study.resolve().name}/rankings/{dataset}/{method}.parquet"
    path = partial_results_path(output, root / FOLDER)
    if fits.empty:
        path.unlink(missing_ok=True)
        return
    units, results = list(fits[["L", "fold", "mode"]].itertuples(index=False, name=None)), {}
    if (study / "rankings" / dataset / f"{method}.status.csv").exists():
        table = pq.read_table(root / output)
        made_from = (table.schema.metadata or {}).get(b"made_from", b"").decode()
        rankings = dict(list(table.to_pandas().groupby(["L", "fold", "mode"], sort=False)))
        for unit, row in zip(units, fits.itertuples(), strict=True):
            status = {"mode": row.mode, "fold": row.fold, "status": "ok", "seconds": row.seconds}
            status |= {"message": row.message, "details": json.loads(row.details)}
            tables = [part.drop(columns="L") for _, part in rankings[unit].groupby("ranking", sort=False)]
            results[unit] = status, tables
    else:
        saved = {unit: (source, result) for unit, source, result in saved_results(path) if unit in units}
        made_from = {unit: source for unit, (source, _) in saved.items()}
        results = {unit: result for unit, (_, result) in saved.items()}
    if made_from:
        write_partial_results(path, made_from, results)
