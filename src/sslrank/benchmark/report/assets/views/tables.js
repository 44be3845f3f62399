// Tables: every table of the study.

const shownTables = Object.keys(data.tables).filter(name => data.tables[name].made.rows.length);
if (shownTables.length) views.tables = ["Tables", () => {
  const name = chosen("table", shownTables, shownTables.includes("contest_scores") ? "contest_scores" : shownTables[0]);
  const block = data.tables[name];
  const wide = pivotable(block), form = chosen("form", wide ? ["wide", "tidy"] : ["tidy"]);
  const tidy = () => plain(block.made, { caption: block.title, file: block.file, columns: spokenColumns(block.made), isControl: row => row.control === true });
  return [
    el("div", { class: "controls" }, select("table", "Table", shownTables, name, { names: n => short(data.tables[n].title, 60) }),
      selectIf("form", "Form", wide ? ["wide", "tidy"] : ["tidy"], form, { names: f => f === "wide" ? "methods as columns" : "one row per value" })),
    el("h3", {}, block.title),
    el("p", { class: "soft" }, block.about),
    block.note ? el("p", {}, el("strong", {}, "Note. "), block.note) : null,
    form === "wide" ? pivot(block) : tidy(),
  ];
}];
const pivotable = block => pivot(block) !== null;
