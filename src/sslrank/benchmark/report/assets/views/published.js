// Published and reproduced values.

if (data.published.length) views.published = ["Published and reproduced", () => {
  const names = data.published.map(block => block.name);
  const name = chosen("table", names, data.opens);
  const block = data.published.find(each => each.name === name);
  const control = controlOf(name);
  const causeOf = row => row.cause ?? (CLASSES[verdict(row)] === "bad" ? block.causes[row.dataset] ?? null : null);
  const every = records(block.made).map(row => ({ ...row, ...(control ? { ofControl: control(row) } : {}), cause: causeOf(row) }))
    .sort((a, b) => isNumber(b.reproduced) - isNumber(a.reproduced));
  const keys = block.made.columns.filter(key => every.some(row => row[key] !== null) && !["published", "reproduced", "difference", "spread", "cause", "verdict"].includes(key));
  const filters = keys.filter(key => key !== "dataset").map(key => [key, unique(every.map(row => row[key]))]).filter(([, values]) => values.length > 1 && values.length <= 30);
  let rows = every;
  const controls = filters.map(([key, values]) => {
    const options = ["", ...values.map(String)], value = chosen(`only-${key}`, options);
    if (value) rows = rows.filter(row => String(row[key]) === value);
    return select(`only-${key}`, head(key), options, value, { names: v => v === "" ? "all" : spoken(key, v) });
  });
  const verdicts = unique(every.map(verdict)), wanted = chosen("verdict", ["", ...verdicts]);
  if (wanted) rows = rows.filter(row => verdict(row) === wanted);
  const both = rows.filter(row => isNumber(row.published) && isNumber(row.reproduced));
  const group = ["task", "ranking", "method", "ensemble", "variant"].find(key => unique(both.map(row => row[key]).filter(v => v !== undefined && v !== null)).length > 1);
  const values = both.flatMap(row => [row.published, row.reproduced]);
  const log = values.length > 0 && Math.min(...values) > 0 && Math.max(...values) > 1000 * Math.min(...values);
  const lines = row => [keys.map(key => spoken(key, row[key])).filter(Boolean).join(", "), `published ${format(row.published)}, reproduced ${format(row.reproduced)}`,
    ...(isNumber(row.spread) ? [`standard error ${format(row.spread)}`] : []), ...(isNumber(row.ofControl) ? [`control ${format(row.ofControl)}`] : []), verdict(row), ...(row.cause ? [row.cause] : [])];
  const groups = group ? unique(both.map(row => row[group])) : [];
  const kinds = group ? unique(every.map(row => row[group])) : [];
  const lookOf = row => group ? groupLook(kinds.indexOf(row[group])) : "";
  const far = distant(both);
  const shown = both.filter(row => !far.has(row));
  const agreement = block.agreement;
  return [
    el("div", { class: "controls" }, select("table", "Table", names, name, { names: n => short(data.published.find(b => b.name === n).title, 60) }), controls,
      selectIf("verdict", "Verdict", ["", ...verdicts], wanted, { names: v => v || "all" })),
    el("h3", {}, block.title),
    block.verdict ? el("p", {}, el("strong", {}, "Verdict. "), block.verdict) : null,
    block.note ? el("p", {}, el("strong", {}, "Note. "), block.note) : null,
    el("p", {}, `${both.length} of ${rows.length} published values have a counterpart here.`),
    both.length ? apart(both) : null,
    both.length ? [
      el("div", {},
        group ? el("p", { class: "legend" }, groups.map(value => el("label", {}, swatch({ look: groupLook(kinds.indexOf(value)) }), el("span", { class: "name" }, spoken(group, value))))) : null,
        shown.length ? scatter(shown.map(row => ({ x: row.published, y: row.reproduced, look: lookOf(row), lines: lines(row), row })), { x: { label: "published" }, y: { label: "reproduced" }, title: "Published and reproduced values", equal: true, log }) : null,
        far.size ? el("p", { class: "soft" }, `${far.size} values far from all others are in the table only: ${[...far].slice(0, 4).map(row => lines(row).slice(0, 2).join(", ")).join("; ")}${far.size > 4 ? " …" : "."}`) : null),
      agreement ? [el("h4", {}, "Agreement"), plain(agreement, { caption: "Agreement with the published table", columns: spokenColumns(agreement) })] : null] : null,
    (block.contest ?? []).map(part => [el("h4", {}, part.title), plain(part.made, { caption: part.title, file: part.file, columns: spokenColumns(part.made) })]),
    el("h3", {}, "Value by value"),
    table([...keys.filter(key => key === "dataset" || unique(every.map(row => row[key])).length > 1).map(key => ({ key, label: head(key), number: false, text: row => spoken(key, row[key]) })),
      ...["published", "reproduced", "difference"].map(key => ({ key, label: key, fraction: false })),
      ...(block.made.columns.includes("spread") ? [{ key: "spread", label: "standard error" }] : []),
      { key: "ofControl", label: "control", hint: "the control's value in this cell: the result without a ranking", control: true },
      { key: "judged", label: "verdict", number: false, text: verdict, class: row => CLASSES[verdict(row)] },
      ...(every.some(row => row.cause) ? [{ key: "cause", label: "cause", number: false, class: () => "long" }] : [])], rows, { caption: "Published and reproduced, value by value", file: block.file }),
  ];
}];

/* Find the control's value in the cell of a published one, where the study's table has it. */
function controlOf(name) {
  const made = data.tables[name]?.made;
  if (!made?.columns.includes("control_delta")) return null;
  const keys = ["variant", "task", "dataset"].filter(key => made.columns.includes(key));
  const place = row => keys.map(key => row[key]).join("\u0000");
  const found = new Map(records(made).map(row => [place(row), row.control_delta]));
  return row => found.get(place(row)) ?? null;
}

const CLASSES = { "within two errors": "good", "same to 0.01": "good", "same sign": null, "other sign": "bad", "differs": "bad" };
/* Judge a value: the table's own verdict, or the distance of the two numbers. */
function verdict(row) {
  if (row.verdict) return row.verdict;
  if (!isNumber(row.published) || !isNumber(row.reproduced)) return isNumber(row.published) ? "not reproduced yet" : "not published";
  const gap = Math.abs(row.reproduced - row.published);
  if (isNumber(row.spread) && gap <= 2 * row.spread) return "within two errors";
  if (gap <= 0.01 * Math.max(1, Math.abs(row.published))) return "same to 0.01";
  if (row.quantity === "delta") return Math.sign(row.published) === Math.sign(row.reproduced) ? "same sign" : "other sign";
  return "differs";
}
/* Values and signs that are reproduced, apart, with the share of always giving the more frequent sign. */
function apart(rows) {
  const close = rows.filter(row => CLASSES[verdict(row)] === "good").length;
  const differences = rows.filter(row => row.quantity === "delta" && row.published !== 0);
  const same = differences.filter(row => Math.sign(row.published) === Math.sign(row.reproduced)).length;
  const positive = differences.filter(row => row.published > 0).length, often = Math.max(positive, differences.length - positive);
  const share = (part, all) => `${part} of ${all} (${Math.round(100 * part / all)} %)`;
  return el("ul", {},
    el("li", {}, `Values: ${share(close, rows.length)} within two standard errors, or within 0.01 where there is no standard error.`),
    differences.length ? el("li", {}, `Signs: ${share(same, differences.length)} the same; always ${2 * positive >= differences.length ? "positive" : "negative"} would be right for ${Math.round(100 * often / differences.length)} %.`) : null);
}

/* Rows whose values are more than ten times the quartiles' distance away from them: they would squash the others. */
function distant(rows) {
  const values = rows.flatMap(row => [row.published, row.reproduced]).sort((a, b) => a - b);
  if (values.length < 16) return new Set();
  const [low, high] = [values[Math.floor(values.length / 4)], values[Math.floor(values.length * 3 / 4)]];
  const isFar = value => value < low - 10 * (high - low) || value > high + 10 * (high - low);
  const far = rows.filter(row => isFar(row.published) || isFar(row.reproduced));
  return new Set(far.length <= rows.length / 10 ? far : []);
}
