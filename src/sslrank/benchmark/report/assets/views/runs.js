// Runs: failures, durations, and where the results come from.

/* Methods by their names in files, which commands take; logs as links. */
const failureColumns = { task: { text: row => shortTask(row.task), number: false }, method: { text: row => row.method }, evaluator: { text: row => judge(row.evaluator) },
  log: { text: row => row.log ?? "", show: row => row.log ? el("a", { href: encoded(row.log) }, row.log) : "" } };

views.runs = ["Runs", () => {
  const runs = data.runs, took = records(runs.durations);
  const byMethod = unique(took.map(row => row.method)).map(name => ({ name, value: sum(took.filter(row => row.method === name).map(row => (row.ranking_seconds ?? 0))) }))
    .filter(item => item.value > 0).sort((a, b) => b.value - a.value);
  return [
    el("p", {}, runs.summary),
    el("h3", {}, "Failures"),
    runs.failed ? el("p", {}, el("strong", {}, runs.failed.title), " ", runs.failed.text) : null,
    runs.failures.rows.length ? [plain(runs.failures, { caption: "Failures", columns: failureColumns }), el("p", {}, "To try them again, delete these rankings by this command, then build the page again by the one below:"), el("pre", { tabindex: "0" }, runs.again)] : el("p", {}, runs.failed ? `${runs.failed.title} ${runs.failed.text}` : "Every fit succeeded."),
    runs.notes.rows.length ? [el("h3", {}, "Not supported, and notes"), plain(runs.notes, { caption: "Not supported, and notes", columns: failureColumns })] : null,
    runs.one_mode.length ? el("p", { class: "soft" }, `Ranked from all rows only, as they have no counterpart for labelled rows alone: ${runs.one_mode.map(methodLabel).join(", ")}.`) : null,
    runs.incomplete.rows.length ? [el("h3", {}, "Left out of ranks and tests"),
      el("p", { class: "soft" }, "A method counts on a dataset only if every planned fit of it there succeeded and was judged."), plain(runs.incomplete, { caption: "Methods with missing fits", columns: spokenColumns(runs.incomplete) })] : null,
    runs.labels.rows.length ? [el("h3", {}, "Fewer labels than asked for"), plain(runs.labels, { caption: "Fewer labels than asked for" })] : null,
    runs.skipped.rows.length ? [el("h3", {}, "Left out where they are slow"), plain(runs.skipped, { caption: "Rankings beyond their limits" })] : null,
    data.datasets.some(item => !item.available) ? [el("h3", {}, "Datasets that are not here"),
      el("p", { class: "soft" }, "If you have a file of one that cannot be downloaded, name it in config.yaml under data: files:."),
      table([{ key: "dataset", label: "dataset" }, { key: "task", label: "kind of target", text: row => shortTask(row.task) }, { key: "reason", label: "reason" }],
        data.datasets.filter(item => !item.available), { caption: "Datasets that are not here" })] : null,
    el("h3", {}, "Durations"),
    el("div", { class: "columns" },
      byMethod.length ? el("div", {}, el("p", { class: "soft" }, "Seconds inside the fits, over all datasets, L, modes and folds."),
        bars(byMethod.map(item => ({ label: methodLabel(item.name), value: item.value, look: "", text: seconds(item.value) })), { title: "Seconds inside the fits", label: "seconds", log: byMethod[0].value > 100 * byMethod[byMethod.length - 1].value })) : null),
    plain(runs.durations, { caption: "Seconds per dataset and method", columns: spokenColumns(runs.durations) }),
    el("h3", {}, "Where the results come from"),
    el("p", {}, runs.machine),
    plain(runs.sources, { caption: "Where the results come from", columns: {
      source: { label: "results from" }, of: { label: "of" }, code: { hint: "whether the code that made them is the code of this page's commit or an earlier one" },
      recomputed: { label: "recomputed since", hint: "cells (one method, dataset, L and fold) that snakemake verify has computed again from the data: equal bits, scores within 1e-9, or the same order but for near ties" } } }),
    el("p", {}, "To build this page again:"), el("pre", { tabindex: "0" }, runs.command),
    el("p", {}, "One dataset, one method or one L again: delete its rankings, then type the command above. The options can be combined.",
      runs.archived ? " Results from the archive are run again by the command above without archive=…, and with datasets=NAME for one of them." : ""),
    el("pre", { tabindex: "0" }, runs.rerun),
    el("details", {}, el("summary", {}, "Versions"), el("pre", { tabindex: "0" }, runs.versions)),
    el("details", {}, el("summary", {}, "Configuration of this study, complete"), el("pre", { tabindex: "0" }, runs.config)),
    el("p", { class: "soft" }, "Everything on this page is in tidy CSV files in the same folder; ", el("a", { href: "manifest.json" }, "manifest.json"), " says what made them."),
  ];
}];
