// Which ranking for a table like mine? Will my unlabelled rows help? All answers are made by sslrank.stats.similar_datasets.

const advice = data.advice;
const arenaBoards = (advice?.boards ?? []).map(board => ({ ...board, rows: records(board.made) }));
// in one order, whatever is chosen first
for (const row of data.tables.arena_points?.made.columns ?? []) if (arenaBoards.some(board => board.rows.some(({ ranking }) => ranking === row))) look(row);

function unlabelledCard(found) {
  return found && el("div", {}, el("h3", {}, "Will my unlabelled rows help?"), el("p", { class: "large" }, found.verdict),
    found.parts.map(part => el("p", {}, `${part.words}: ${signed(part.mean)} ± ${part.reach.toFixed(1)} points, better on ${part.better} of ${part.of}`)));
}
const signed = value => (value > 0 ? "+" : "") + value.toFixed(1).replace("-", "−");

const plusMinus = (mean, reach) => `${signed(mean)}${isNumber(reach) ? ` ± ${reach.toFixed(1)}` : ""}`;
const rounded = value => value.toFixed(1).replace("-", "−");

/* What a ranking is, who wrote it and its parameters; null where that is not known. */
function aboutRanking(name) {
  const item = data.rankings.find(found => found.name === name) ?? data.methods.find(found => found.name === name && found.ranker);
  if (!item) return null;
  if (item.members) return [el("p", {}, `The mean of the ranks by ${item.members.map(label).join(", ")}.`), item.members.map(member => el("p", { class: "soft" }, label(member), ": ", data.rankings.find(found => found.name === member)?.title ?? ""))];
  const params = Object.entries(item.params ?? {});
  const links = [item.paper && el("a", { href: item.paper }, "paper"), item.code && el("a", { href: encoded(item.codeLink) }, item.code)].filter(Boolean);
  return [
    item.title ? el("p", {}, el("strong", {}, `${item.title}.`)) : null,
    el("p", {}, item.by ? `By ${item.by}. ` : "", `Ranker ${item.ranker}. `, links.map((link, i) => [i ? " · " : "", link])),
    el("p", {}, params.length ? `Parameters: ${params.map(([key, value]) => `${key} = ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ")}; others as by default.` : "All parameters as by default."),
    item.summary ? el("details", {}, el("summary", {}, "How it works"), el("p", { class: "doc" }, item.summary)) : null,
  ];
}

/* The datasets of a leaderboard: which ranking is best there, and the one that the leaderboard is about; each leads to its curves. */
function arenaDatasets(board, L) {
  const names = new Set(arenaBoards[board].datasets), about = data.entered ?? advice.default, rankings = arenaBoards[board].rows.map(row => row.ranking);
  const of = new Map();
  for (const row of records(data.tables.arena_points?.made)) {
    if (names.has(row.dataset) && (L === "" || String(row.L) === L)) of.set(row.dataset, [...(of.get(row.dataset) ?? []), row]);
  }
  const rows = [...of].map(([dataset, found]) => {
    const mean = name => sum(found.map(row => row[name])) / found.length;
    const best = rankings.reduce((a, b) => mean(b) > mean(a) ? b : a);
    const [first] = found;
    return { dataset, task: first.task, rows: first.rows, features: first.features, best, most: mean(best), mine: rankings.includes(about) ? mean(about) : null };
  });
  return rows.length ? [el("h3", {}, "Dataset by dataset"),
    table([
      { key: "dataset", label: "dataset, its curves", show: row => el("a", { href: `#view=datasets&dataset=${encodeURIComponent(row.dataset)}` }, row.dataset) },
      { key: "task", label: "kind of target", text: row => shortTask(row.task) }, { key: "rows", label: "rows" }, { key: "features", label: "features" },
      { key: "best", label: "best ranking", text: row => label(row.best), show: row => named(row.best) }, { key: "most", label: "its points", text: row => rounded(row.most) },
      { key: "mine", label: `points of ${label(about)}`, text: row => row.mine === null ? "" : rounded(row.mine) },
    ].filter(column => column.key !== "mine" || rankings.includes(about)), rows, { caption: "Datasets of the leaderboard" })] : null;
}

if (advice) views.which = ["Which ranking?", () => {
  const { budgets, kinds, times } = advice.choices, { wide: WIDE, long: LONG } = advice;
  const L = chosen("labels", budgets), kind = chosen("kind", kinds), columns = chosen("columns", advice.choices.columns);
  const rows = chosen("rows", advice.choices.rows), time = times.length ? chosen("time", times) : "";
  const answer = advice.answers[[L, kind, columns, rows, time].join("|")];
  const { rows: board, n_datasets: count, is_enough: enough, absent } = arenaBoards[answer.board];
  const tied = board.filter(row => row.first), timed = board.filter(row => isNumber(row.seconds)), front = timed.filter(row => row.front);
  const any = (names = {}) => value => value === "" ? "any" : names[value] ?? value;
  const standard = board.find(row => row.ranking === advice.default), entered = board.find(row => row.ranking === data.entered);
  const placed = row => `${1 + board.indexOf(row)} of ${board.length}`;
  const others = Object.entries(absent);
  return [
    el("p", {}, "What is your table like? The leaderboard is of the arena's datasets that are similar to it."),
    el("div", { class: "controls" },
      select("labels", "Labelled rows, about", budgets, L, { names: any() }), select("kind", "Kind of target", kinds, kind, { names: name => name === "" ? "any" : task(name) }),
      select("columns", "Columns", advice.choices.columns, columns, { names: any({ tall: `at most ${WIDE}`, wide: `more than ${WIDE}` }) }),
      select("rows", "Rows", advice.choices.rows, rows, { names: any({ few: `fewer than ${LONG}`, long: `at least ${LONG}` }) }),
      times.length ? select("time", "Time available", times, time, { names: any({ 0.1: "0.1 s", 1: "1 s", 10: "10 s", 60: "1 min" }) }) : null),
    el("p", { class: "soft" }, `${count} datasets${answer.with ? ` with ${answer.with}` : ""}.`,
      answer.without ? ` Too few also have ${answer.without}, so this condition is dropped.` : ""),
    board.length ? el("div", { class: "answers" },
      entered ? el("div", { class: "entered" }, el("h3", {}, `Where is ${label(entered.ranking)}?`), el("p", { class: "large" }, placed(entered)),
        el("p", {}, `${rounded(entered.points)} points over a random ranking. Against the default: ${plusMinus(entered.gain, entered.gain_reach)} points, better on ${entered.wins} of ${count} datasets, worse on ${entered.losses}.`)) : null,
      el("div", {}, el("h3", {}, "First"), el("p", { class: "large" }, label(board[0].ranking)), el("p", {}, `${rounded(board[0].points)} points over a random ranking, average rank ${board[0].average_rank.toFixed(1)} of ${board.length}.`,
        standard && standard !== board[0] ? ` The default, ${label(standard.ranking)}, is ${placed(standard)}.` : "")),
      el("div", {}, el("h3", {}, "How sure is that?"), el("p", { class: "large" }, !enough ? "Not at all" : tied.length === 1 ? "Ahead of all others" : `One of ${tied.length}`),
        el("p", {}, !enough ? "Too few datasets." : tied.length === 1 ? "By the 95 % interval of the difference to each." : `No significant difference on these datasets: ${tied.slice(0, 8).map(row => label(row.ranking)).join(", ")}${tied.length > 8 ? ", …" : ""}.`)),
      unlabelledCard(advice.gains[answer.gains])) : el("p", {}, "No ranking is known to be that fast."),
    board.length ? [el("h3", {}, "Leaderboard"),
      el("p", { class: "soft" }, "Points: 100 times the area under the curves of three models on the best features, over a random ranking where there is one. ± is half of a 95 % interval over the datasets; * marks a ranking whose interval says that it is behind the first." + (timed.length ? " Seconds: median over all datasets of the arena, one thread." : "") + " A ranking opens what it is, who wrote it and its parameters."),
      table([
        { key: "ranking", label: "ranking", text: row => label(row.ranking), show: row => [named(row.ranking), row === entered ? [" ", el("span", { class: "badge" }, "yours")] : null] },
        { key: "average_rank", label: "average rank", best: "min", hint: "1: the best on every dataset", text: row => row.average_rank.toFixed(1) + (isNumber(row.rank_reach) ? ` ± ${row.rank_reach.toFixed(1)}` : "") },
        { key: "points", label: "points over random", best: "max", text: row => rounded(row.points) },
        { key: "share_of_oracle", label: "share of oracle", best: "max", hint: "its points divided by those of a ranking by all labels, hidden ones included", text: row => isNumber(row.share_of_oracle) ? percent(row.share_of_oracle) : "" },
        { key: "gain", label: "against the default", best: "max", hint: "mean difference in points, and on how many datasets it is better and worse", text: row => !isNumber(row.gain) || row === standard ? "" : plusMinus(row.gain, row.gain_reach),
          show: row => !isNumber(row.gain) ? "" : row === standard ? el("span", { class: "badge" }, "the default") : [plusMinus(row.gain, row.gain_reach), el("span", { class: "by" }, `${row.wins} better, ${row.losses} worse`)] },
        { key: "behind", label: "behind the first", text: row => row === board[0] ? "" : `${rounded(row.behind)}${isNumber(row.reach) ? ` ± ${row.reach.toFixed(1)}` : ""}${row.first ? "" : " *"}` },
        { key: "seconds", label: "seconds", text: row => seconds(row.seconds) }].filter(column => ["ranking", "average_rank", "points", "behind"].includes(column.key) || board.some(row => isNumber(row[column.key]))), board,
        { caption: "Leaderboard of tables like mine", file: data.tables.arena_points?.file, tall: true, name: "board", opens: { key: "open", name: row => row.ranking, content: row => aboutRanking(row.ranking) } }),
      others.length ? el("p", { class: "soft" }, `Not in it, as they were run on too few of these datasets${time === "" ? "" : " or take longer"}: ${others.map(([name, number]) => `${label(name)} (${number})`).join(", ")}.`) : null] : null,
    timed.length > 1 ? [el("h3", {}, "Quality and time"),
      el("p", { class: "soft" }, `Filled: no other ranking has both more points and fewer seconds. These are ${front.toSorted((a, b) => a.seconds - b.seconds).map(row => label(row.ranking)).join(", ")}.`),
      scatter(timed.map(row => ({ x: Math.log10(Math.max(row.seconds, 1e-4)), y: row.points, look: row.ranking, hollow: !row.front, lines: [label(row.ranking), `${rounded(row.points)} points, ${seconds(row.seconds)}`] })),
        { x: { label: "seconds", at: [-3, -2, -1, 0, 1, 2, 3].filter(power => timed.some(row => Math.log10(row.seconds) < power + 0.5) && timed.some(row => Math.log10(row.seconds) > power - 0.5)).map(power => [power, String(10 ** power)]) }, y: { label: "points over a random ranking" }, title: "Points and seconds of the rankings" })] : null,
    board.length ? arenaDatasets(answer.board, L) : null,
  ];
}];
