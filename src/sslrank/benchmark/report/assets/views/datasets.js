// Datasets: facts, curves and best features of one dataset.

const available = data.datasets.filter(item => item.available);

if (available.length) views.datasets = ["Datasets", () => {
  const names = available.map(item => item.dataset), name = chosen("dataset", names, data.telling);
  const info = available.find(item => item.dataset === name);
  const facts = Object.entries(info).filter(([key, value]) => !["dataset", "available", "reason", "note", "title", "task"].includes(key) && value !== null && value !== "");
  return [
    el("div", { class: "controls" }, select("dataset", "Dataset", names, name, { names: n => short(n, 60), groups: n => task(available.find(item => item.dataset === n).task) })),
    el("h3", {}, info.title ? `${info.title} (${name})` : name),
    el("dl", { class: "facts" }, el("div", {}, el("dt", {}, "kind of target"), el("dd", {}, task(info.task))),
      facts.map(([key, value]) => el("div", {}, el("dt", {}, key === "published" ? "name in the publication" : head(key)), el("dd", {}, format(value))))),
    info.note ? el("p", { class: "soft" }, info.note) : null,
    curvesOf(name), featuresOf(name),
  ];
}];

function curvesOf(name) {
  const found = data.curves[name];
  if (!found || !found.blocks.length) return el("p", {}, "No ranking could be scored on this dataset.");
  const evaluators = unique(found.blocks.map(b => b.e)), evaluator = chosen("evaluator", evaluators, data.evaluator);
  const measures = unique(found.blocks.filter(b => b.e === evaluator).map(b => b.m));
  const curved = found.blocks.find(b => b.e === evaluator && b.k.length > 1)?.m;  // of error curves their points, not their average
  const measure = chosen("measure", measures, data.kind === "errors" && curved ? curved : found.measure);
  const block = found.blocks.find(b => b.e === evaluator && b.m === measure);
  const axes = [block.L.length > 1 ? "L" : null, block.k.length > 1 ? "k" : null].filter(Boolean);
  if (!axes.length) axes.push("L");
  const over = chosen("over", axes, data.kind === "labels" ? "L" : "k");
  const other = over === "L" ? "k" : "L", choices = block[other];
  const fixed = chosen(other, choices, other === "k" ? (choices.includes(data.k) ? data.k : choices[choices.length - 1]) : choices[choices.length - 1]);
  const items = found.series.map((line, i) => {
    const [method, ranking, mode, entry, missing] = line;
    const at = choices.indexOf(fixed), values = block.v[i], spreads = block.s[i];
    const points = block[over].map((place, j) => {
      const [l, k] = over === "L" ? [j, at] : [at, j], index = l * block.k.length + k;
      return [over === "L" ? block.x[j] : place, values?.[index] ?? null, spreads?.[index] ?? null];
    });
    const text = [line[5], data.modes.length > 1 ? modeLabel(mode) : null].filter(Boolean).join(", ") + (missing ? " *" : "");
    return { id: `${method} ${ranking} ${mode}`, mode, label: text, look: line[6], dashed: mode === "sl", usual: entry && mode === data.modes[0], folded: !entry, points, missing };
  }).filter(item => item.points.some(p => isNumber(p[1])));
  items.sort((a, b) => data.modes.indexOf(a.mode) - data.modes.indexOf(b.mode) || look(a.look).control - look(b.look).control);
  const [boxes, shown] = legend("show", "Rankings", items, items.filter(item => item.usual).map(item => item.id));
  const band = flag("band", true);
  const xs = over === "L" ? { label: "labelled examples L", at: block.L.map((text, i) => [block.x[i], text]) } : { label: data.kNames[evaluator] ?? "number of features" };
  const title = `${measureLabel(measure)} on ${short(name, 40)} over ${xs.label}`;
  const otherName = other === "k" ? data.kNames[evaluator] ?? "number of features" : "Labelled examples L";
  const columns = [{ key: "x", label: xs.label, text: row => row.text, number: true },
    ...shown.map(item => ({ key: item.id, label: item.label, number: true, contest: !look(item.look).control, control: look(item.look).control }))];
  const rows = block[over].map((place, j) => ({ x: over === "L" ? block.x[j] : place, text: String(place), ...Object.fromEntries(shown.map(item => [item.id, item.points[j][1]])) }));
  return [
    el("h3", {}, block[over].length === 1 ? "How well the ranking works" : over === "L" ? "How well the ranking works, over the number of labels" : `How well the ranking works, over the ${xs.label}`),
    el("div", { class: "controls" },
      selectIf("measure", "Measure", measures, measure, { names: measureLabel }),
      selectIf("evaluator", "Judged by", evaluators, evaluator, { names: judge }),
      selectIf("over", "Over", axes, over, { names: n => n === "L" ? "labelled examples" : data.kNames[evaluator] ?? "number of features" }),
      selectIf(other, otherName, choices, fixed), check("band", "band over folds", band, true)),
    boxes,
    block[over].length > 1 ? curves(shown, { x: xs, y: { label: better(measure) }, title, band }) : spots(shown, better(measure), title, band),
    el("p", { class: "soft" }, `Fold averages weighted with the sizes of the test sets; the band is one standard error over the folds.${data.modes.length > 1 ? " Solid: ranked from all training rows (SSL); dashed: from the labelled ones only (SL)." : ""}${items.some(item => item.missing) ? " * some planned fits gave no score." : ""}${block.n > block.k.length ? ` Of the ${block.n} points of a curve ${block.k.length} are drawn, denser at its beginning; all are in collected/scores.csv.` : ""}`),
    el("details", {}, el("summary", {}, "The values"), shown.length ? table(columns, rows, { caption: title, rowBest: higher(measure) ? "max" : "min" }) : null),
  ];
}

function featuresOf(name) {
  const found = data.features[name];
  if (!found) return null;
  const L = chosen("featuresL", found.L, found.L[found.L.length - 1]), mode = chosen("featuresMode", found.modes);
  const lists = found.rankings.filter(r => r.L === L && r.mode === mode);
  const controls = el("div", { class: "controls" },
    selectIf("featuresL", "Labelled examples L", found.L, L), selectIf("featuresMode", "Ranked from", found.modes, mode, { names: modeLabel }));
  if (!lists.length) return [el("h2", {}, "Its features"), controls, el("p", { class: "soft" }, "No ranking was made with these.")];
  const of = new Map(lists.map(r => [r.name, new Map(r.feature.map((number, i) => [number, r.rank[i]]))]));
  const depth = Math.max(...lists.map(r => r.feature.length));
  const judges = lists.some(r => !look(r.name).control) ? lists.filter(r => !look(r.name).control) : lists;
  const place = feature => sum(judges.map(r => Math.min(of.get(r.name).get(feature) ?? depth + 1, depth + 1)));
  const top = unique(judges.flatMap(r => r.feature)).map(feature => [feature, place(feature)]).sort((a, b) => a[1] - b[1]).slice(0, 30);
  const heat = rank => rank === null ? 0 : Math.max(0, 1 - Math.log(rank) / Math.log(depth + 1));
  const columns = [{ key: "feature", label: "feature", number: false, text: row => row.feature, show: row => el("span", { class: "named", title: row.feature }, row.feature) },
    ...lists.map(r => ({ key: "= " + r.name, label: label(r.name), number: true, control: look(r.name).control, class: () => "heat",
      style: row => `--heat: ${heat(row["= " + r.name]).toFixed(3)}`, text: row => row["= " + r.name] === null ? `> ${depth}` : row["= " + r.name].toFixed(1) }))];
  const rows = top.map(([feature]) => ({ feature: found.names[feature], ...Object.fromEntries(lists.map(r => ["= " + r.name, of.get(r.name).get(feature) ?? null])) }));
  const names = lists.map(r => r.name), one = chosen("ranking", names), ranking = lists.find(r => r.name === one);
  const items = ranking.feature.slice(0, 20).map((number, i) => {
    const value = ranking.importance[i], spread = ranking.spread[i];
    return { label: found.names[number], value, look: one, low: isNumber(spread) ? value - spread : null, high: isNumber(spread) ? value + spread : null };
  }).filter(item => isNumber(item.value)).sort((a, b) => b.value - a.value);
  const stable = new Map();
  for (const row of records(data.stability[name])) {
    if (row.L !== L || row.mode !== mode) continue;
    const key = `${row.method}\u0000${row.ranking}`;
    if (!stable.has(key)) stable.set(key, { method: row.method, ranking: row.ranking });
    stable.get(key)[row.top] = row.stability;
    stable.get(key)[`${row.top} interval`] = isNumber(row.lower) ? `${row.stability.toFixed(2)} (${row.lower.toFixed(2)} to ${Math.min(row.upper, 1).toFixed(2)})`.replaceAll("-", "−") : null;
  }
  const tops = [["10", "best 10"], ["30", "best 30"], ["10pct", "best 10 %"], ["all", "all: rank correlation"]].filter(([key]) => [...stable.values()].some(row => isNumber(row[key])));
  const line = row => data.curves[name]?.series.find(([method, ranking]) => method === row.method && ranking === row.ranking);
  const called = row => data.controls.includes(row.method) ? methodLabel(row.method) : line(row)?.[5] ?? `${label(row.ranking)}, ${methodLabel(row.method)}`;
  return [
    el("h2", {}, "Its features"), controls,
    el("div", { class: "columns" },
      el("div", {},
        el("h3", {}, "Ranks of the best features"),
        el("p", { class: "soft" }, `Mean rank over the folds, 1 is the best; the darker, the better. These ${top.length} have the best ranks over all rankings but controls; "> ${depth}": not among a ranking's first ${depth}.`),
        table(columns, rows, { caption: "Ranks of the best features by ranking", tall: true })),
      el("div", {},
        el("h3", {}, "Importances"),
        el("div", { class: "controls" }, selectIf("ranking", "Ranking", names, one, { names: label })),
        items.length ? bars(items, { title: `Importances by ${label(one)}`, label: "importance: mean and standard deviation over the folds" }) : null)),
    stable.size && tops.length ? [
      el("h3", {}, "Stability over the folds"),
      el("p", { class: "soft" }, "1: every fold gives the same ranking, 0: as random rankings. Sets of the best features by Nogueira et al. 2018, with 95 % intervals; whole rankings by Spearman's correlation."),
      table([{ key: "ranking", label: "ranking", number: false, text: called },
        ...tops.map(([key, text]) => ({ key, label: text, number: true, best: "max", text: row => row[`${key} interval`] ?? (isNumber(row[key]) ? row[key].toFixed(2) : "") }))],
        [...stable.values()].filter(row => tops.some(([key]) => isNumber(row[key]))), { caption: `Stability on ${name}`, file: data.stabilityFile, isControl: row => data.controls.includes(row.method) })] : null,
  ];
}
