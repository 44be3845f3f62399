// Overview: who leads, the leaderboard, who differs, scores dataset by dataset.

const TESTS = { "wilcoxon-holm": "Wilcoxon with Holm", nemenyi: "Nemenyi" };
const board = records(data.tables.leaderboard?.made);
const pairRows = records(data.tables.pairs?.made);
const groupRows = records(data.tables.groups?.made);
const scoreRows = records(data.tables.contest_scores?.made);

function contestControls(rows = board) {
  const modes = unique(rows.map(row => row.mode)), mode = chosen("mode", modes);
  const tasks = unique(rows.filter(row => row.mode === mode).map(row => row.task));
  const kind = chosen("task", tasks, tasks.includes("all") ? "all" : tasks[0]);
  return [mode, kind, [
    selectIf("task", "Kind of target", tasks, kind, { names: task }),
    selectIf("mode", "Ranked from", modes, mode, { names: m => ({ ssl: "all rows (SSL)", sl: "labelled rows only (SL)" })[m] ?? m }),
  ]];
}

/* With what there is of a publication's cells. */
function withPublished(found) {
  const cells = data.published.flatMap(block => records(block.made)).filter(row => isNumber(row.published));
  const both = cells.filter(row => isNumber(row.reproduced));
  if (!cells.length) return found;
  const link = el("a", { href: "#view=published" }, "see each");
  const same = both.filter(row => CLASSES[verdict(row)] === "good").length;
  return [...(found ?? []), ["Like in print?", both.length ? `${same} of ${both.length} cells` : "Not known yet",
    [both.length ? `are the same to 0.01 or within two standard errors. All: ${counts(both)}. ${cells.length} are printed; ` : `None of ${cells.length} printed cells has a counterpart here; `, link, "."]]];
}
function answers(found) {
  if (!found) return el("p", {}, "No two rankings have scores on a common dataset, so that nobody leads.");
  return el("div", { class: "answers" }, found.map(([question, large, text]) =>
    el("div", {}, el("h3", {}, question), el("p", { class: "large" }, large), el("p", {}, text))));
}

function interval(row, high) {
  const width = 150, px = rank => 6 + (rank - 1) / Math.max(high - 1, 1) * (width - 12);
  const node = svg("svg", { width, height: 16, role: "img", "aria-label": isNumber(row.lower) ? `from ${format(row.lower)} to ${format(row.upper)}` : "no interval" });
  node.append(svg("line", { stroke: "var(--line)", x1: 6, x2: width - 6, y1: 8, y2: 8 }));
  if (isNumber(row.lower)) node.append(svg("line", { stroke: look(row.contestant).colour, "stroke-width": 5, "stroke-opacity": 0.4, "stroke-linecap": "round", x1: px(row.lower), x2: px(row.upper), y1: 8, y2: 8 }));
  node.append(mark(row.contestant, px(row.average_rank), 8));
  return node;
}
function share(value, name, most) {
  const px = v => 6 + Math.max(0, v) / most * 68;
  return svg("svg", { width: 80, height: 14, "aria-hidden": "true" },
    svg("rect", { x: 6, y: 4, width: 68, height: 6, fill: "var(--line)" }),
    svg("rect", { x: 6, y: 4, width: px(value) - 6, height: 6, fill: look(name).colour }));
}

if (board.length) views.overview = ["Overview", () => {
  const [mode, kind, controls] = contestControls();
  const rows = board.filter(row => row.mode === mode && row.task === kind);
  const ranked = rows.filter(row => isNumber(row.average_rank));
  const test = chosen("test", unique(groupRows.map(row => row.test)));
  const high = Math.max(...ranked.map(row => Math.max(row.average_rank, row.upper ?? 0)), 2);
  const best = Math.max(1, ...rows.map(row => row.relative ?? 0));  // a ranking may do more than the oracle
  const columns = [
    { key: "contestant", label: "ranking", text: row => label(row.contestant), show: row => named(row.contestant) },
    { key: "average_rank", label: "average rank", best: ranked.length > 1 ? "min" : null, text: row => row.average_rank === null ? "" : row.average_rank.toFixed(2) },
    { key: "interval", label: "95 % interval", number: false, text: row => isNumber(row.lower) ? `${row.lower.toFixed(2)} to ${row.upper.toFixed(2)}` : "",
      show: row => isNumber(row.average_rank) ? [interval(row, high), isNumber(row.lower) ? ` ${row.lower.toFixed(1)}–${row.upper.toFixed(1)}` : ""] : "" },
    { key: "win_rate", label: "wins", best: "max", hint: "share of the datasets on which it is the best", text: row => percent(row.win_rate) },
    { key: "relative", label: "0 random, 1 oracle", best: "max", hint: "score on the scale on which a random ranking is 0 and the oracle 1, the mean over kinds of target; empty where the oracle's lead is not significant",
      text: row => row.relative === null ? "" : row.relative.toFixed(2), show: row => row.relative === null ? "" : [row.relative.toFixed(2).replace("-", "−"), " ", share(row.relative, row.contestant, best)] },
    { key: "better_than_random", label: "beats random", hint: "datasets on which it is significantly better than a random ranking",
      text: row => row.better_than_random === null ? "" : `${row.better_than_random} of ${row.n_tested}` },
    { key: "score", label: rows[0]?.measure ? measureLabel(rows[0].measure) : "score", best: rows[0]?.measure && !higher(rows[0].measure) ? "min" : "max" },
    { key: "seconds", label: "seconds of a fit", best: "min", text: row => seconds(row.seconds) },
    { key: "n_datasets", label: "datasets" },
  ].filter(column => column.key === "interval" ? ranked.length > 1 : rows.some(row => row[column.key] !== null && row[column.key] !== undefined));
  const groups = groupRows.filter(row => row.mode === mode && row.task === kind && row.test === test);
  const members = unique(groups.map(row => row.group)).map(number => groups.filter(row => row.group === number).map(row => row.contestant));
  const distance = test === "nemenyi" ? records(data.tables.friedman?.made).find(row => row.task === kind)?.critical_distance : null;
  const order = ranked.map(row => ({ name: row.contestant, rank: row.average_rank })).sort((a, b) => a.rank - b.rank);
  return [
    el("div", { class: "controls" }, controls),
    answers(withPublished(data.answers[`${mode} ${kind}`])),
    el("h3", {}, "Leaderboard"),
    el("p", { class: "soft" }, `Ranks of ${data.score} on each dataset, averaged; 1 is the best. The interval is a bootstrap over the datasets; whether two differ is said by the test of the pair.${data.controls.length ? " Controls, in grey italics, take no part in ranks and tests." : ""}`),
    table(columns, rows, { caption: "Leaderboard", file: data.tables.leaderboard.file, isControl: row => row.control }),
    el("h3", {}, "Who differs"),
    order.length > 1 && ranked[0].n_datasets > 1 ? [
      el("div", { class: "controls" }, selectIf("test", "Test", unique(groupRows.map(row => row.test)), test, { names: name => TESTS[name] ?? name })),
      el("p", { class: "soft" }, `Average ranks; a bar joins rankings that the test does not tell apart at ${data.alpha}.` + (members.length ? "" : " No two are joined.")),
      diagram(order, members, distance, "Critical-distance diagram"),
    ] : el("p", { class: "soft" }, "A test needs two rankings and two datasets."),
    el("h3", {}, "Dataset by dataset"),
    scoresTable(mode, kind),
  ];
}];

function scoresTable(mode, kind) {
  const part = scoreRows.filter(row => row.mode === mode && (kind === "all" || row.task === kind));
  const hasScale = part.some(row => row.relative !== null);
  const what = chosen("shown", hasScale ? ["score", "relative"] : ["score"]);
  const block = { title: "Scores, dataset by dataset", file: data.tables.contest_scores.file, keys: ["dataset", "task", "measure", "contestant"],
    values: [what], turned: what === "relative", made: { columns: ["dataset", "task", "measure", "contestant", "control", what, "better_than_random"],
      rows: part.map(row => [row.dataset, row.task, row.measure, row.contestant, row.control, row[what], row.better_than_random]) } };
  return [
    el("div", { class: "controls" }, selectIf("shown", "Numbers", hasScale ? ["score", "relative"] : ["score"], what, { names: name => name === "score" ? data.score : "random = 0, oracle = 1" })),
    pivot(block) ?? table(["dataset", "task", "contestant", what].map(key => ({ key, label: head(key), text: row => spoken(key, row[key]) })), part, { caption: block.title, file: block.file })];
}
