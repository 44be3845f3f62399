// Overview: who leads, the leaderboard, who differs, scores dataset by dataset.

const board = records(data.tables.leaderboard?.made);
const pairRows = records(data.tables.pairs?.made);
/* Where the oracle is not significantly better than a random ranking there is no scale between the two. */
const unscaled = new Set(records(data.tables.contest_scores?.made)
  .filter(row => row.entry === "oracle" && row.better_than_random === false).map(row => `${row.mode} ${row.dataset}`));
const scoreRows = records(data.tables.contest_scores?.made)
  .map(row => unscaled.has(`${row.mode} ${row.dataset}`) ? { ...row, relative: null } : row);
const SCALE = "A score on the scale on which a random ranking has 0 and the oracle, which ranks with all labels, has 1. The oracle is a yardstick, not a limit: above 1 a ranking is better than the oracle, below 0 worse than a random one. Empty where the oracle is not significantly better than a random ranking.";

function contestControls(rows = board) {
  const modes = unique(rows.map(row => row.mode)), mode = chosen("mode", modes);
  const tasks = unique(rows.filter(row => row.mode === mode).map(row => row.task));
  // The result that a comparison is about is on the first screen.
  const entered = tasks.filter(name => board.some(row => row.method === data.entered && row.mode === mode && row.task === name));
  const first = data.entered && entered.length ? entered : tasks;
  const kind = chosen("task", tasks, first.includes("all") ? "all" : first[0]);
  return [mode, kind, [
    selectIf("task", "Kind of target", tasks, kind, { names: task }),
    selectIf("mode", "Ranked from", modes, mode, { names: m => ({ ssl: "all rows (SSL)", sl: "labelled rows only (SL)" })[m] ?? m }),
  ]];
}

/* Values, signs and winners of the publication that are reproduced, each with its baseline. */
function reproducedCard() {
  const parts = data.reproduction;
  if (!parts.length) return null;
  const range = (low, high) => low === high ? String(low) : `${low} to ${high}`;
  const part = (n, row) => Math.round(100 * n / row.compared);
  const count = row => row.compared ? `${range(row.low, row.high)} of ${row.compared} (${range(part(row.low, row), part(row.high, row))} %)` : "none compared yet";
  return el("div", {}, el("h3", {}, "Reproduced?"),
    el("table", { class: "small" },
      el("thead", {}, el("tr", {}, ["published", "reproduced", "baseline"].map(text => el("th", { scope: "col" }, text)))),
      el("tbody", {}, parts.map(row => el("tr", { title: row.rule }, el("th", { scope: "row" }, row.what), el("td", {}, row.word ? [el("strong", {}, row.word), ": "] : null, count(row)),
        el("td", {}, row.baseline === null ? "" : percent(row.baseline)))))),
    el("p", { class: "soft" }, "Yes: at least 95 %. No: at most the baseline, or 5 %."),
    el("p", {}, parts.some(row => row.low !== row.high) ? "From the least to the most successful reading of the protocol. " : "", el("a", { href: "#view=published" }, "See each value"), "."));
}
/* Rank of the result that a comparison is about. */
function enteredCards(rows) {
  const ranked = rows.filter(row => isNumber(row.average_rank));
  const mine = rows.filter(row => data.entered && row.method === data.entered);
  return mine.map(row => el("div", { class: "entered" }, el("h3", {}, `Where is ${label(row.entry)}?`),
    el("p", { class: "large" }, isNumber(row.average_rank) ? `Rank ${1 + ranked.filter(other => other.average_rank < row.average_rank).length} of ${ranked.length}` : "Without a rank"),
    el("p", {}, isNumber(row.average_rank) ? `Average rank ${row.average_rank.toFixed(2)} on ${row.n_datasets} dataset${row.n_datasets === 1 ? "" : "s"}.` : "It lacks scores: see Runs.")));
}
function answers(found, rows) {
  const card = [enteredCards(rows), reproducedCard()];
  const none = el("p", {}, "No two rankings have scores on a common dataset: there is no leader.");
  return [found ? null : none, el("div", { class: "answers" }, card[0], (found ?? []).map(([question, large, text]) =>
    el("div", {}, el("h3", {}, question), el("p", { class: "large" }, large), el("p", {}, text))), card[1])];
}

/* Methods that represent an entry: of a family the one that ranks best on each kind of target in this run. */
const membersOf = text => String(text).split(", ").map(methodLabel);
function representatives(mode, kind) {
  const found = new Map();
  for (const row of scoreRows) {
    if (row.control || row.mode !== mode || (kind !== "all" && row.task !== kind)) continue;
    if (!found.has(row.entry)) found.set(row.entry, new Map());
    found.get(row.entry).set(row.method, new Set([...(found.get(row.entry).get(row.method) ?? []), row.task]));
  }
  return found;
}
const isFamily = entry => scoreRows.some(row => row.entry === entry && data.familyMembers.includes(row.method));
function representedText(mode, kind) {
  const parts = [...representatives(mode, kind)].filter(([entry]) => isFamily(entry)).map(([entry, methods]) =>
    `${label(entry)} computed by ${[...methods].map(([method, tasks]) => methods.size > 1 ? `${methodLabel(method)} (${[...tasks].map(shortTask).join(", ")})` : methodLabel(method)).join(", ")}`);
  return parts.length ? el("p", { class: "soft" }, `A score that several ensembles of trees can compute is one row. It is computed by the ensemble with which it has the best average rank on that kind of target; on other datasets this can be another one. Here: ${parts.join("; ")}.`) : null;
}

/* The ensembles that compute a score that several can. */
const computedBy = row => row.lost || row.control || !isFamily(row.entry) ? "" : `computed by ${membersOf(row.method).join(", ")}`;

/* Methods with failed fits that have no row in a contest: one each, with the log of the first. */
function unfinished(rows, kind) {
  const ranked = new Set(rows.filter(row => isNumber(row.average_rank)).flatMap(row => String(row.method).split(", ")));
  const failed = records(data.runs.failures).filter(row => (kind === "all" || row.task === kind) && !ranked.has(row.method));
  const empty = Object.fromEntries(Object.keys(board[0]).map(key => [key, null]));
  return unique(failed.map(row => row.method)).map(method => {
    const first = failed.find(row => row.method === method);
    return { ...empty, entry: method, method, lost: true, log: first.log, why: `${first.dataset}: ${first.message}` };
  });
}

function interval(row, high) {
  const width = 150, px = rank => 6 + (rank - 1) / Math.max(high - 1, 1) * (width - 12);
  const node = svg("svg", { width, height: 16, role: "img", "aria-label": isNumber(row.lower) ? `from ${format(row.lower)} to ${format(row.upper)}` : "no interval" });
  node.append(svg("line", { stroke: "var(--line)", x1: 6, x2: width - 6, y1: 8, y2: 8 }));
  if (isNumber(row.lower)) node.append(svg("line", { stroke: look(row.entry).colour, "stroke-width": 5, "stroke-opacity": 0.4, "stroke-linecap": "round", x1: px(row.lower), x2: px(row.upper), y1: 8, y2: 8 }));
  node.append(mark(row.entry, px(row.average_rank), 8));
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
  const high = Math.max(...ranked.map(row => Math.max(row.average_rank, row.upper ?? 0)), 2);
  const best = Math.max(1, ...rows.map(row => row.relative ?? 0));  // a ranking may do more than the oracle
  const columns = [
    { key: "entry", label: "ranking", text: row => label(row.entry), show: row => [named(row.entry), computedBy(row) ? el("span", { class: "by" }, computedBy(row)) : null] },
    { key: "average_rank", label: "average rank", best: ranked.length > 1 ? "min" : null, text: row => row.lost ? "did not finish" : row.average_rank === null ? "" : row.average_rank.toFixed(2),
      show: row => row.lost ? el("a", { class: "badge lost", href: row.log ? encoded(row.log) : "#view=runs", title: row.why }, "did not finish")
        : row.average_rank === null ? "" : [row.average_rank.toFixed(2), isNumber(row.lower) ? el("span", { class: "narrow" }, `${row.lower.toFixed(1)}–${row.upper.toFixed(1)}`) : null] },
    { key: "interval", label: "95 % interval", number: false, class: () => "drawn", text: row => isNumber(row.lower) ? `${row.lower.toFixed(2)} to ${row.upper.toFixed(2)}` : "",
      show: row => isNumber(row.average_rank) ? [interval(row, high), isNumber(row.lower) ? ` ${row.lower.toFixed(1)}–${row.upper.toFixed(1)}` : ""] : "" },
    { key: "win_rate", label: "wins", best: "max", hint: "share of the datasets on which it is the best", text: row => percent(row.win_rate) },
    { key: "relative", label: "0 random, 1 oracle", best: "max", hint: `${SCALE} Over all kinds of target: the mean of theirs.`,
      text: row => row.relative === null ? "" : row.relative.toFixed(2), show: row => row.relative === null ? "" : [row.relative.toFixed(2).replace("-", "−"), " ", share(row.relative, row.entry, best)] },
    { key: "better_than_random", label: "beats random", hint: "datasets on which it is significantly better than a random ranking",
      text: row => row.better_than_random === null ? "" : `${row.better_than_random} of ${row.n_tested}` },
    { key: "score", label: rows[0]?.measure ? measureLabel(rows[0].measure) : "score", best: rows[0]?.measure && !higher(rows[0].measure) ? "min" : "max" },
    { key: "seconds", label: "seconds of a fit", best: "min", text: row => seconds(row.seconds) },
    { key: "n_datasets", label: "datasets" },
  ].filter(column => column.key === "interval" ? ranked.length > 1 : rows.some(row => row[column.key] !== null && row[column.key] !== undefined));
  const members = data.groups[`${mode} ${kind}`] ?? [];
  const order = ranked.map(row => ({ name: row.entry, rank: row.average_rank })).sort((a, b) => a.rank - b.rank);
  return [
    el("div", { class: "controls" }, controls),
    answers(data.answers[`${mode} ${kind}`], rows),
    el("h3", {}, "Leaderboard"),
    el("p", { class: "soft" }, `Ranks by ${data.score} on each dataset, averaged; 1 is the best. The interval is a bootstrap over the datasets; the test of a pair tells whether the two differ.${data.controls.length ? " Controls, in grey italics, take no part in ranks and tests." : ""}`),
    rows.some(row => isNumber(row.relative)) ? el("p", { class: "soft" }, el("strong", {}, "0 random, 1 oracle. "), SCALE) : null,
    table(columns, [...rows, ...unfinished(rows, kind)], { caption: "Leaderboard", name: "board", file: data.tables.leaderboard.file, isControl: row => row.control }),
    representedText(mode, kind),
    el("h3", {}, "Who differs"),
    order.length > 1 && ranked[0].n_datasets > 1 ? [
      el("p", { class: "soft" }, `Average ranks; a bar joins rankings that do not differ significantly at ${data.alpha}.` + (members.length ? "" : " No two are joined.")),
      diagram(order, members, null, "Critical-distance diagram"),
    ] : el("p", { class: "soft" }, "A test needs two rankings and two datasets."),
    el("h3", {}, "Dataset by dataset"),
    scoresTable(mode, kind),
  ];
}];

function scoresTable(mode, kind) {
  const part = scoreRows.filter(row => row.mode === mode && (kind === "all" || row.task === kind));
  const hasScale = part.some(row => row.relative !== null);
  const what = chosen("shown", hasScale ? ["score", "relative"] : ["score"]);
  const keys = ["dataset", ...["task", "measure"].filter(key => unique(part.map(row => row[key])).length > 1), "entry"];
  const columns = [...keys, "control", what, "better_than_random"];
  const block = { title: "Scores, dataset by dataset", file: data.tables.contest_scores.file, keys, values: [what], turned: what === "relative",
    measures: new Map(part.map(row => [row.dataset, row.measure])), made: { columns, rows: part.map(row => columns.map(key => row[key])) } };
  return [
    part.length && !keys.includes("measure") ? el("p", { class: "soft" }, `${better(part[0].measure)}.`) : null,
    el("div", { class: "controls" }, selectIf("shown", "Numbers", hasScale ? ["score", "relative"] : ["score"], what, { names: name => name === "score" ? data.score : "random = 0, oracle = 1" })),
    pivot(block) ?? table(["dataset", "task", "entry", what].map(key => ({ key, label: head(key), text: row => spoken(key, row[key]) })), part, { caption: block.title, file: block.file })];
}
