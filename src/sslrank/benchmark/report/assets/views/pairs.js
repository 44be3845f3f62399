// Pairs: every two rankings compared.

if (pairRows.length) views.pairs = ["Pairs", () => {
  const [mode, kind, controls] = contestControls(pairRows);
  const rows = pairRows.filter(row => row.mode === mode && row.task === kind);
  const names = unique(rows.flatMap(row => [row.first, row.second]));
  const of = new Map();
  for (const row of rows) {
    of.set(row.first + "\u0000" + row.second, row);
    of.set(row.second + "\u0000" + row.first, { ...row, first: row.second, second: row.first, wins: row.losses, losses: row.wins, mean_difference: row.mean_difference === null ? null : -row.mean_difference, low: row.high === null ? null : -row.high, high: row.low === null ? null : -row.low });
  }
  const most = Math.max(...rows.map(row => Math.abs(row.mean_difference ?? 0))) || 1;
  const heat = row => row.mean_difference === null ? (row.wins - row.losses) / Math.max(1, row.n_datasets) : row.mean_difference / most;
  const matrix = el("div", { class: "box", tabindex: "0", role: "region", "aria-label": "Multiple comparison matrix" }, el("table", {},
    el("caption", { class: "hidden" }, "Multiple comparison matrix"),
    el("thead", {}, el("tr", {}, el("td"), names.map(n => el("th", { scope: "col" }, named(n))))),
    el("tbody", {}, names.map(a => el("tr", {}, el("th", { scope: "row" }, named(a)), names.map(b => {
      const row = of.get(a + "\u0000" + b);
      if (!row) return el("td", { class: "cell" }, "·");
      const lean = heat(row);
      return el("td", { class: `cell ${lean > 0 ? "plus" : "minus"}${row.significant ? " best" : ""}`, style: `--heat: ${Math.abs(lean).toFixed(3)}` },
        row.mean_difference === null ? null : el("span", {}, format(row.mean_difference)),
        `${row.wins} / ${row.ties} / ${row.losses}`, el("span", {}, pValue(row.p_holm)));
    }))))));
  const first = chosen("first", names), rest = names.filter(n => n !== first), second = chosen("second", rest);
  const pair = of.get(first + "\u0000" + second);
  const byDataset = new Map();
  for (const row of scoreRows) {
    if (row.mode !== mode || !row.counts || (kind !== "all" && row.task !== kind) || ![first, second].includes(row.entry)) continue;
    if (!byDataset.has(row.dataset)) byDataset.set(row.dataset, { dataset: row.dataset, task: row.task, measure: row.measure });
    byDataset.get(row.dataset)[row.entry === first ? "a" : "b"] = row.score;
  }
  const both = [...byDataset.values()].filter(row => isNumber(row.a) && isNumber(row.b))
    .map(row => ({ ...row, difference: (higher(row.measure) ? 1 : -1) * (row.a - row.b) })).sort((x, y) => y.difference - x.difference);
  return [
    el("div", { class: "controls" }, controls),
    el("h3", {}, "Every pair"),
    el("p", { class: "soft" }, "Row against column: mean difference (positive: the row is better), wins / ties / losses, Wilcoxon's p with Holm's correction; bold where significant. A pair's difference and counts do not depend on who else takes part; Holm's correction does. Where datasets have different measures there is no mean difference, and the colour shows wins minus losses."),
    matrix, tableLink("pairs"),
    el("h3", {}, "Two of them, dataset by dataset"),
    el("div", { class: "controls" },
      select("first", "First", names, first, { names: n => short(label(n), 40) }), select("second", "Second", rest, second, { names: n => short(label(n), 40) })),
    pair ? el("p", {}, `${label(first)} against ${label(second)}: better on ${pair.wins}, equal on ${pair.ties}, worse on ${pair.losses} of ${pair.n_datasets} datasets; ` +
      `${pValue(pair.p_value)} (Wilcoxon), ${pValue(pair.p_holm)} with Holm's correction${pair.significant ? ": they differ." : ": no significant difference."}` +
      (isNumber(pair.low) ? ` Mean difference ${format(pair.mean_difference)}, 95 % interval ${format(pair.low)} to ${format(pair.high)}.` : "")) : null,
    both.length ? el("div", { class: "columns" },
      bars(both.slice(0, 60).map(row => ({ label: row.dataset, value: row.difference, look: row.difference >= 0 ? first : second, text: format(row.difference) })),
        { title: `Differences of ${label(first)} and ${label(second)}`, label: `difference; above 0 ${short(label(first), 24)} is better` }),
      table([{ key: "dataset", label: "dataset" }, { key: "measure", label: "measure", text: row => measureLabel(row.measure) },
        { key: "a", label: label(first), contest: true }, { key: "b", label: label(second), contest: true }, { key: "difference", label: "difference" }],
        both, { caption: `${label(first)} and ${label(second)}, dataset by dataset`, rowBest: row => higher(row.measure) ? "max" : "min" })) : null,
  ];
}];

const tableLink = name => el("p", { class: "soft" }, el("a", { href: data.tables[name].file }, data.tables[name].file));
