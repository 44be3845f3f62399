// Which ranking for a table like mine? Will my unlabelled rows help? The rules are those of sslrank.tabular.show.advice.

const pointsBlock = data.tables.arena_points, pointRows = records(pointsBlock?.made);
const FACTS = new Set(data.arena.facts);
const arenaRankings = (pointsBlock?.made.columns ?? []).filter(name => !FACTS.has(name));
const arenaSeconds = new Map(records(data.tables.arena_seconds?.made).map(row => [`${row.ranking} ${row.L}`, row.seconds]));
for (const name of arenaRankings) look(name);  // in one order, whatever is chosen first
const { wide: WIDE, long: LONG, least: LEAST } = data.arena;

const mean = values => sum(values) / values.length;
/* Student's t for an interval of 95 %, to 0.2 %: the expansion of Cornish and Fisher, exact values where it fails. */
function t95(freedom) {
  const exact = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];
  if (freedom <= exact.length) return exact[freedom - 1];
  const z = 1.959964, n = freedom;
  return z + (z ** 3 + z) / (4 * n) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n ** 2);
}
/* Mean of some differences and half of its 95 % interval. */
function spread(values) {
  const middle = mean(values), n = values.length;
  const variance = sum(values.map(value => (value - middle) ** 2)) / (n - 1);
  return [middle, n > 1 ? t95(n - 1) * Math.sqrt(variance / n) : null];
}

/* Datasets that are like a table; conditions are dropped until there are enough: rows first, then columns, then the kind. */
function alike({ L, kind, columns, rows }) {
  const conditions = [
    [kind && `a target of kind ${task(kind)}`, row => row.task === kind],
    [columns && `${columns === "wide" ? "more than" : "at most"} ${WIDE} columns`, row => (row.features > WIDE) === (columns === "wide")],
    [rows && `${rows === "long" ? "at least" : "fewer than"} ${LONG} rows`, row => (row.rows >= LONG) === (rows === "long")],
  ].filter(([words]) => words);
  const all = pointRows.filter(row => String(row.L) === L), dropped = [];
  const found = () => all.filter(row => conditions.every(([, holds]) => holds(row)));
  while (conditions.length && found().length < LEAST) dropped.unshift(conditions.pop()[0]);
  return { found: found(), kept: conditions.map(([words]) => words), dropped };
}

/* Average ranks, points over random, and the distance to the first ranking on the datasets that have them all. */
function arenaBoard(found, L, limit) {
  const took = name => arenaSeconds.get(`${name} ${L}`) ?? null;
  const names = arenaRankings.filter(name => (limit === null || (took(name) !== null && took(name) <= limit))
    && found.filter(row => isNumber(row[name])).length >= Math.max(1, Math.ceil(0.75 * found.length)));
  const sets = found.filter(row => names.every(name => isNumber(row[name])));
  if (!names.length || !sets.length) return [[], 0];
  const rank = (row, name) => 0.5 + sum(names.map(other => row[other] > row[name] ? 1 : row[other] === row[name] ? 0.5 : 0));
  const board = names.map(name => ({ ranking: name, average_rank: mean(sets.map(row => rank(row, name))), points: mean(sets.map(row => row[name])), seconds: took(name) }))
    .sort((a, b) => a.average_rank - b.average_rank || b.points - a.points);
  for (const row of board) {
    [row.behind, row.reach] = spread(sets.map(set => set[board[0].ranking] - set[row.ranking]));
    row.first = !(row.behind - row.reach > 0);
  }
  return [board, sets.length];
}

/* Rankings that no other one beats in both points and seconds. */
const onFront = board => board.filter(row => row.seconds !== null
  && !board.some(other => other.seconds !== null && other.points >= row.points && other.seconds <= row.seconds && (other.points > row.points || other.seconds < row.seconds)));

function unlabelledCard(found) {
  const parts = Object.entries(data.arena.pairs).map(([ranking, [without, words]]) => {
    const gains = found.filter(row => isNumber(row[ranking]) && isNumber(row[without])).map(row => row[ranking] - row[without]);
    if (gains.length < 2) return null;
    const [middle, reach] = spread(gains);
    return { words, middle, reach, better: gains.filter(gain => gain > 0).length, of: gains.length };
  }).filter(Boolean);
  if (!parts.length) return null;
  // as in sslrank.tabular.show.advice; the interval of the best of several is widened
  const best = parts.reduce((a, b) => b.middle > a.middle ? b : a);
  const verdict = best.middle > data.arena.ofSeveral * best.reach ? "They are likely to help" : best.middle + best.reach < 0 ? "They are likely to harm"
    : best.middle + best.reach < data.arena.small ? "Hardly" : "Not known: the interval is too wide";
  return el("div", {}, el("h3", {}, "Will my unlabelled rows help?"), el("p", { class: "large" }, verdict),
    parts.map(part => el("p", {}, `${part.words}: ${signed(part.middle)} ± ${part.reach.toFixed(1)} points, better on ${part.better} of ${part.of}`)));
}
const signed = value => (value > 0 ? "+" : "") + value.toFixed(1).replace("-", "−");

if (pointRows.length) views.which = ["Which ranking?", () => {
  const budgets = unique(pointRows.map(row => String(row.L))), kinds = ["", ...unique(pointRows.map(row => row.task))];
  const L = chosen("labels", budgets, budgets[1] ?? budgets[0]), kind = chosen("kind", kinds), columns = chosen("columns", ["", "tall", "wide"]);
  const rows = chosen("rows", ["", "few", "long"]), time = chosen("time", ["", "0.1", "1", "10", "60"]);
  const { found, kept, dropped } = alike({ L, kind, columns, rows });
  const [board, count] = arenaBoard(found, L, time === "" ? null : Number(time));
  const tied = board.filter(row => row.first), front = new Set(onFront(board)), timed = board.filter(row => row.seconds !== null);
  const any = names => value => value === "" ? "any" : names[value] ?? value;
  return [
    el("p", {}, "What is your table like? The leaderboard is of the arena's datasets that are like it."),
    el("div", { class: "controls" },
      select("labels", "Labelled rows, about", budgets, L), select("kind", "Kind of target", kinds, kind, { names: name => name === "" ? "any" : task(name) }),
      select("columns", "Columns", ["", "tall", "wide"], columns, { names: any({ tall: `at most ${WIDE}`, wide: `more than ${WIDE}` }) }),
      select("rows", "Rows", ["", "few", "long"], rows, { names: any({ few: `fewer than ${LONG}`, long: `at least ${LONG}` }) }),
      arenaSeconds.size ? select("time", "Time at hand", ["", "0.1", "1", "10", "60"], time, { names: any({ 0.1: "0.1 s", 1: "1 s", 10: "10 s", 60: "1 min" }) }) : null),
    el("p", { class: "soft" }, `${count} datasets${kept.length ? ` with ${kept.join(" and ")}` : ""}.`,
      dropped.length ? ` Too few have also ${dropped.join(" and ")}, so that does not count.` : ""),
    board.length ? el("div", { class: "answers" },
      el("div", {}, el("h3", {}, "First"), el("p", { class: "large" }, label(board[0].ranking)), el("p", {}, `${board[0].points.toFixed(1)} points over a random ranking, average rank ${board[0].average_rank.toFixed(1)} of ${board.length}.`)),
      el("div", {}, el("h3", {}, "How sure is that?"), el("p", { class: "large" }, count < LEAST ? "Not at all" : tied.length === 1 ? "Ahead of all others" : `One of ${tied.length}`),
        el("p", {}, count < LEAST ? "Too few datasets." : tied.length === 1 ? "By the 95 % interval of the difference to each." : `Not told apart on these datasets: ${tied.slice(0, 8).map(row => label(row.ranking)).join(", ")}${tied.length > 8 ? ", …" : ""}.`)),
      unlabelledCard(found)) : el("p", {}, "No ranking is known to be that fast."),
    board.length ? [el("h3", {}, "Leaderboard"),
      el("p", { class: "soft" }, "Points: 100 times the area under the curves of three models on the best features, over a random ranking where there is one. Behind the first: mean difference and half of its 95 % interval over the datasets; marked where it excludes 0." + (timed.length ? " Seconds: median over all datasets of the arena, one thread." : "")),
      table([
        { key: "ranking", label: "ranking", text: row => label(row.ranking), show: row => named(row.ranking) },
        { key: "average_rank", label: "average rank", best: "min", text: row => row.average_rank.toFixed(1) },
        { key: "points", label: "points over random", best: "max", text: row => row.points.toFixed(1).replace("-", "−") },
        { key: "behind", label: "behind the first", text: row => row === board[0] ? "" : `${row.behind.toFixed(1).replace("-", "−")}${row.reach === null ? "" : ` ± ${row.reach.toFixed(1)}`}${row.first ? "" : " *"}` },
        { key: "seconds", label: "seconds", text: row => seconds(row.seconds) }].filter(column => column.key !== "seconds" || timed.length), board, { caption: "Leaderboard of tables like mine", file: pointsBlock.file })] : null,
    timed.length > 1 ? [el("h3", {}, "Quality and time"),
      el("p", { class: "soft" }, `Filled: no other ranking has both more points and fewer seconds. These are ${[...front].sort((a, b) => a.seconds - b.seconds).map(row => label(row.ranking)).join(", ")}.`),
      scatter(timed.map(row => ({ x: Math.log10(Math.max(row.seconds, 1e-4)), y: row.points, look: row.ranking, hollow: !front.has(row), lines: [label(row.ranking), `${row.points.toFixed(1)} points, ${seconds(row.seconds)}`] })),
        { x: { label: "seconds", at: [-3, -2, -1, 0, 1, 2, 3].filter(power => timed.some(row => Math.log10(row.seconds) < power + 0.5) && timed.some(row => Math.log10(row.seconds) > power - 0.5)).map(power => [power, String(10 ** power)]) }, y: { label: "points over a random ranking" }, title: "Points and seconds of the rankings" })] : null,
  ];
}];
