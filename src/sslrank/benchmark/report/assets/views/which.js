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

if (advice) views.which = ["Which ranking?", () => {
  const { budgets, kinds, times } = advice.choices, { wide: WIDE, long: LONG } = advice;
  const L = chosen("labels", budgets, budgets[1] ?? budgets[0]), kind = chosen("kind", kinds), columns = chosen("columns", advice.choices.columns);
  const rows = chosen("rows", advice.choices.rows), time = times.length ? chosen("time", times) : "";
  const answer = advice.answers[[L, kind, columns, rows, time].join("|")];
  const { rows: board, n_datasets: count, is_enough: enough } = arenaBoards[answer.board];
  const tied = board.filter(row => row.first), timed = board.filter(row => row.seconds !== null), front = timed.filter(row => row.front);
  const any = names => value => value === "" ? "any" : names[value] ?? value;
  return [
    el("p", {}, "What is your table like? The leaderboard is of the arena's datasets that are similar to it."),
    el("div", { class: "controls" },
      select("labels", "Labelled rows, about", budgets, L), select("kind", "Kind of target", kinds, kind, { names: name => name === "" ? "any" : task(name) }),
      select("columns", "Columns", advice.choices.columns, columns, { names: any({ tall: `at most ${WIDE}`, wide: `more than ${WIDE}` }) }),
      select("rows", "Rows", advice.choices.rows, rows, { names: any({ few: `fewer than ${LONG}`, long: `at least ${LONG}` }) }),
      times.length ? select("time", "Time at hand", times, time, { names: any({ 0.1: "0.1 s", 1: "1 s", 10: "10 s", 60: "1 min" }) }) : null),
    el("p", { class: "soft" }, `${count} datasets${answer.with ? ` with ${answer.with}` : ""}.`,
      answer.without ? ` Too few also have ${answer.without}, so this condition is dropped.` : ""),
    board.length ? el("div", { class: "answers" },
      el("div", {}, el("h3", {}, "First"), el("p", { class: "large" }, label(board[0].ranking)), el("p", {}, `${board[0].points.toFixed(1)} points over a random ranking, average rank ${board[0].average_rank.toFixed(1)} of ${board.length}.`)),
      el("div", {}, el("h3", {}, "How sure is that?"), el("p", { class: "large" }, !enough ? "Not at all" : tied.length === 1 ? "Ahead of all others" : `One of ${tied.length}`),
        el("p", {}, !enough ? "Too few datasets." : tied.length === 1 ? "By the 95 % interval of the difference to each." : `No significant difference on these datasets: ${tied.slice(0, 8).map(row => label(row.ranking)).join(", ")}${tied.length > 8 ? ", …" : ""}.`)),
      unlabelledCard(advice.gains[answer.gains])) : el("p", {}, "No ranking is known to be that fast."),
    board.length ? [el("h3", {}, "Leaderboard"),
      el("p", { class: "soft" }, "Points: 100 times the area under the curves of three models on the best features, over a random ranking where there is one. Behind the first: mean difference and half of its 95 % interval over the datasets; marked where it excludes 0." + (timed.length ? " Seconds: median over all datasets of the arena, one thread." : "")),
      table([
        { key: "ranking", label: "ranking", text: row => label(row.ranking), show: row => named(row.ranking) },
        { key: "average_rank", label: "average rank", best: "min", text: row => row.average_rank.toFixed(1) },
        { key: "points", label: "points over random", best: "max", text: row => row.points.toFixed(1).replace("-", "−") },
        { key: "behind", label: "behind the first", text: row => row === board[0] ? "" : `${row.behind.toFixed(1).replace("-", "−")}${row.reach === null ? "" : ` ± ${row.reach.toFixed(1)}`}${row.first ? "" : " *"}` },
        { key: "seconds", label: "seconds", text: row => seconds(row.seconds) }].filter(column => column.key !== "seconds" || timed.length), board, { caption: "Leaderboard of tables like mine", file: data.tables.arena_points?.file })] : null,
    timed.length > 1 ? [el("h3", {}, "Quality and time"),
      el("p", { class: "soft" }, `Filled: no other ranking has both more points and fewer seconds. These are ${front.toSorted((a, b) => a.seconds - b.seconds).map(row => label(row.ranking)).join(", ")}.`),
      scatter(timed.map(row => ({ x: Math.log10(Math.max(row.seconds, 1e-4)), y: row.points, look: row.ranking, hollow: !row.front, lines: [label(row.ranking), `${row.points.toFixed(1)} points, ${seconds(row.seconds)}`] })),
        { x: { label: "seconds", at: [-3, -2, -1, 0, 1, 2, 3].filter(power => timed.some(row => Math.log10(row.seconds) < power + 0.5) && timed.some(row => Math.log10(row.seconds) > power - 0.5)).map(power => [power, String(10 ** power)]) }, y: { label: "points over a random ranking" }, title: "Points and seconds of the rankings" })] : null,
  ];
}];
