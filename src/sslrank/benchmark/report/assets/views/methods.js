// Methods: documentation, parameters and ranks of one method.

if (data.methods.length) views.methods = ["Methods", () => {
  const names = data.methods.map(item => item.name), name = chosen("method", names);
  const item = data.methods.find(each => each.name === name);
  const mine = scoreRows.filter(row => row.method === name && row.mode === data.modes[0]);
  const rankings = unique(mine.map(row => row.entry)), ranking = chosen("of", rankings);
  const places = mine.filter(row => row.entry === ranking && row.counts).map(row => {
    const field = scoreRows.filter(other => other.dataset === row.dataset && other.mode === row.mode && other.counts && other.score !== null);
    const beats = field.filter(other => higher(row.measure) ? other.score > row.score : other.score < row.score);
    const ties = field.filter(other => other.score === row.score).length;
    return { ...row, rank: beats.length + (ties + 1) / 2, of: field.length };
  }).sort((a, b) => a.rank - b.rank);
  const mostPlaces = unique(scoreRows.filter(row => row.entry === ranking && row.mode === data.modes[0] && row.counts).map(row => row.dataset)).length;
  const of = made => ({ columns: made.columns, rows: made.rows.filter(row => row[made.columns.indexOf("method")] === name) });
  const failures = of(data.runs.failures), notes = of(data.runs.notes);
  const params = Object.entries(item.params ?? {});
  const isControl = data.controls.includes(name);
  return [
    el("div", { class: "controls" }, select("method", "Method", names, name, { names: n => short(methodLabel(n), 60) })),
    el("h3", {}, methodLabel(name)),
    el("p", { class: "soft" }, [methodLabel(name) === name ? null : `${name} in files. `, item.ranker ? `Ranker ${item.ranker}. ` : null, isControl ? "A control: it takes no part in ranks and tests." : null].filter(Boolean).join("")),
    item.paper || item.code ? el("p", {}, item.paper ? ["Paper: ", el("a", { href: item.paper }, item.paper)] : null, item.paper && item.code ? " · " : null,
      item.code ? ["Code: ", el("a", { href: encoded(item.codeLink) }, item.code)] : null) : null,
    item.title ? el("p", {}, el("strong", {}, `${item.title}.`)) : null,
    item.summary ? el("p", { class: "doc" }, item.summary) : null,
    item.sections.map(([title, text]) => [el("h4", {}, title), el("p", { class: "doc" }, text)]),
    params.length ? [el("h3", {}, "Parameters in this study"), table([{ key: "name", label: "parameter", number: false }, { key: "value", label: "value", number: false }],
      params.map(([key, value]) => ({ name: key, value: typeof value === "string" ? value : JSON.stringify(value) })), { caption: `Parameters of ${methodLabel(name)}` })] : null,
    places.length ? [
      el("h3", {}, "Where it is good"),
      el("div", { class: "controls" }, selectIf("of", "Its ranking", rankings, ranking, { names: label })),
      el("p", {}, firstPlaces(places)),
      el("h3", {}, "Rank on each dataset"),
      el("p", { class: "soft" }, `Its rank among the rankings on each dataset, the best first${data.modes.length > 1 ? `, ${modeLabel(data.modes[0])}` : ""}.${places.length < mostPlaces ? " On the other datasets another member of its family represents it." : ""}${places.some(row => isNumber(row.relative)) ? ` 0 random, 1 oracle: ${SCALE[0].toLowerCase()}${SCALE.slice(1)}` : ""}`),
      table([
        { key: "dataset", label: "dataset" }, { key: "task", label: "kind of target", text: row => shortTask(row.task) },
        { key: "rank", label: "rank", text: row => row.rank === null ? "" : String(row.rank) }, { key: "of", label: "of" },
        { key: "measure", label: "measure", text: row => measureLabel(row.measure) }, { key: "score", label: "score" }, { key: "standard_error", label: "standard error" },
        { key: "relative", label: "0 random, 1 oracle", hint: SCALE },
      ].filter(c => places.some(row => row[c.key] !== null)), places, { caption: `Ranks of ${methodLabel(name)}` }),
    ] : isControl || !data.familyMembers.includes(name) ? null : el("p", { class: "soft" }, "Another member of its family, which ranks better, represents it in the comparison; its curves are in the view Datasets."),
    el("h3", {}, "Failures and notes"),
    failures.rows.length ? plain(failures, { caption: `Failures of ${methodLabel(name)}`, columns: failureColumns }) : el("p", {}, "No fit of it failed."),
    notes.rows.length ? plain(notes, { caption: `Notes on ${methodLabel(name)}`, columns: failureColumns }) : null,
  ];
}];

/* The datasets on which a ranking is first, or its best rank. */
function firstPlaces(places) {
  const first = places.filter(row => row.rank === 1), shared = places.filter(row => row.rank > 1 && row.rank < 2);
  const listed = rows => rows.map(row => row.dataset).join(", ");
  if (first.length || shared.length) {
    return [first.length ? `First on ${first.length} of ${places.length} datasets: ${listed(first)}.` : "", shared.length ? `Shares the first rank on ${listed(shared)}.` : ""].filter(Boolean).join(" ");
  }
  const best = places.filter(row => row.rank === places[0].rank);
  return `First on none of ${places.length} datasets; its best rank is ${places[0].rank} of ${places[0].of}, on ${listed(best.slice(0, 8))}${best.length > 8 ? " and others" : ""}.`;
}
