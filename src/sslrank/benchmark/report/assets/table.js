// Tables that can be sorted, filtered and copied.

const ROWS = 100;

/* A table that can be sorted, filtered and copied.
   columns: {key, label, number, show(row) -> text or node, text(row), best: "max" | "min", control, wide};
   rowBest: "max" or "min" of each row's columns that have `contest`, in bold; a function of the row also does.
   opens: {key, name(row), content(row)}: what is shown below a row when its first cell is pressed; null where there is nothing;
   the link keeps under `key` which row is open. */
function table(columns, rows, { caption, file = null, rowBest = null, isControl = null, tall = false, name = null, opens = null } = {}) {
  let order = rows.slice(), sorted = null, down = false, wanted = "", all = false;
  const told = column => column.text || column.show || rows.some(row => row[column.key] !== null && row[column.key] !== undefined && row[column.key] !== "");
  const text = (column, row) => column.text ? column.text(row) : format(row[column.key], column.fraction);
  columns = columns.filter(told);
  for (const column of columns) {
    column.number ??= rows.some(row => isNumber(row[column.key]));
    column.fraction ??= rows.some(row => isNumber(row[column.key]) && !Number.isInteger(row[column.key]));
  }
  const body = el("tbody");
  const more = el("div", { class: "tools" });
  const count = el("span", { class: "soft" });
  const best = row => {
    const kind = typeof rowBest === "function" ? rowBest(row) : rowBest;
    const values = columns.filter(c => c.contest && isNumber(row[c.key])).map(c => row[c.key]);
    return kind && values.length ? Math[kind](...values) : null;
  };
  const columnBest = new Map(columns.filter(c => c.best).map(c => {
    const values = rows.filter(row => !isControl?.(row)).map(row => row[c.key]).filter(isNumber);
    return [c, values.length ? Math[c.best](...values) : null];
  }));
  const isBest = (column, row, top) => {
    const value = row[column.key];
    if (!isNumber(value) || isControl?.(row)) return false;
    return (column.contest && value === top) || columnBest.get(column) === value;
  };
  function visible() {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    return order.filter(row => {
      const line = columns.map(column => text(column, row)).join(" ").toLowerCase();
      return words.every(word => line.includes(word));
    });
  }
  /* The content of a first cell as a button that shows and hides what is below its row. */
  function opener(row, content) {
    const id = `${opens.key}-${opens.name(row)}`, isOpen = state.get(opens.key) === opens.name(row);
    const press = () => {
      remember({ [opens.key]: isOpen ? null : opens.name(row) });
      show();
      document.getElementById(id)?.focus({ preventScroll: true });
    };
    return el("button", { type: "button", class: "opens", id, "aria-expanded": String(isOpen), onclick: press }, content);
  }
  function show() {
    const found = visible();
    const shown = all ? found : found.slice(0, ROWS);
    body.replaceChildren(...shown.flatMap(row => {
      const top = best(row);
      const below = opens?.content(row) ?? null, isOpen = below && state.get(opens.key) === opens.name(row);
      const line = el("tr", { class: isControl?.(row) ? "control" : null },
        columns.map((column, i) => {
          const told = column.show ? column.show(row) : text(column, row), content = i === 0 && below ? opener(row, told) : told;
          const names = [column.number ? "number" : null, column.control ? "control" : null,
            isBest(column, row, top) ? "best" : null, column.class?.(row),
            !column.number && text(column, row).length > 60 ? "wide" : !column.number && text(column, row).length > 24 ? "wrap" : null];
          const cell = { class: names.filter(Boolean).join(" ") || null, style: column.style?.(row) };
          return i === 0 ? el("th", { scope: "row", title: text(column, row).length > 30 ? text(column, row) : null, ...cell }, content) : el("td", cell, content);
        }));
      return isOpen ? [line, el("tr", { class: "below" }, el("td", { colspan: columns.length }, el("div", {}, below)))] : [line];
    }));
    count.textContent = found.length === rows.length ? `${rows.length} row${rows.length === 1 ? "" : "s"}` : `${found.length} of ${rows.length} rows`;
    more.replaceChildren();
    if (shown.length < found.length) {
      more.append(el("button", { type: "button", class: "plain", onclick: () => { all = true; show(); } },
        `show all ${found.length} rows`));
    }
  }
  const heads = columns.map(column => el("th", { scope: "col", class: [column.number ? "number" : "", column.control ? "control" : "", column.key === "interval" ? "drawn" : ""].join(" ").trim() || null },
    el("button", { type: "button", title: column.hint ?? column.label, onclick: event => sort(column, event.currentTarget.parentNode) }, column.label)));
  function sort(column, head) {
    down = sorted === column ? !down : column.number && column.best === "max";
    sorted = column;
    for (const other of heads) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = row => column.number ? row[column.key] : text(column, row);
    order = rows.slice().sort((a, b) => {
      const x = key(a), y = key(b);
      const missing = value => value === null || value === undefined || value === "";
      if (missing(x) || missing(y)) return missing(x) - missing(y);
      return (down ? -1 : 1) * (column.number ? x - y : x.localeCompare(y, "en", { numeric: true }));
    });
    show();
  }
  const raw = (column, row) => row[column.key] === undefined ? text(column, row) : row[column.key] ?? "";
  const csv = () => {
    const quote = value => /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
    return [columns.map(c => quote(c.label)), ...visible().map(row => columns.map(c => quote(raw(c, row))))]
      .map(line => line.join(",")).join("\n") + "\n";
  };
  const latex = () => {
    const marks = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "<": "\\textless{}", ">": "\\textgreater{}", "−": "$-$" };
    const escape = value => String(value).replace(/[\\~^<>−]|[&%$#_{}]/g, c => marks[c] ?? "\\" + c);
    const line = row => {
      const top = best(row);
      return columns.map(c => isBest(c, row, top) ? `\\textbf{${escape(text(c, row))}}` : escape(text(c, row))).join(" & ") + " \\\\";
    };
    return [`\\begin{tabular}{${columns.map(c => c.number ? "r" : "l").join("")}}`, "\\hline",
      columns.map(c => escape(c.label)).join(" & ") + " \\\\", "\\hline", ...visible().map(line), "\\hline", "\\end{tabular}"].join("\n") + "\n";
  };
  const filter = rows.length < 8 ? null : el("input", {
    type: "search", placeholder: "filter rows", "aria-label": `filter rows of: ${caption}`,
    oninput: event => { wanted = event.target.value; show(); },
  });
  const tools = el("div", { class: "tools" }, filter,
    el("button", { type: "button", class: "plain", onclick: () => copy(csv(), "CSV") }, "copy CSV"),
    el("button", { type: "button", class: "plain", onclick: () => copy(latex(), "LaTeX") }, "copy LaTeX"),
    count, file ? el("a", { href: encoded(file) }, file) : null);
  show();
  return el("div", { class: "table" }, tools,
    el("div", { class: tall ? "box tall" : "box", tabindex: "0", role: "region", "aria-label": caption },
      el("table", { class: [tall || columns.length > 9 ? "dense" : "", name ?? ""].join(" ").trim() || null }, el("caption", { class: "hidden" }, caption), el("thead", {}, el("tr", {}, heads)), body)), more);
}

const plain = (made, settings = {}) => table(
  made.columns.map(key => ({ key, label: head(key), ...(settings.columns?.[key] ?? {}) })), records(made), settings);
const HEADS = { labeled: "labelled", p_holm: "p, Holm", p_value: "p", cd: "CD", ch: "CH (variances)", ch_deviation: "CH (deviations)" };
const head = key => HEADS[key] ?? key.replaceAll("_", " ");
const judge = name => data.judges[name] ?? name;
const TRANSLATED = new Set(["ranking", "method", "entry", "ensemble", "first", "second"]);
const spoken = (key, value) => value === null ? "" : key === "method" ? methodLabel(value) : key === "evaluator" ? judge(value) : TRANSLATED.has(key) ? label(value)
  : key === "source" ? String(value).replace(/^table([\d-]+).*$/, (_, number) => `Table ${number.replace("-", ".")}`) : key === "task" ? shortTask(value) : key === "measure" ? measureLabel(value) : key === "mode" ? modeLabel(value) : key === "quantity" ? data.quantities[value] ?? head(value) : format(value);

/* Columns that say whether a ranking does more than a control: what does not is marked. */
const MARKED = {
  better_than_random: "° is not significantly better than a random ranking (corrected resampled t-test over the folds).",
  better_than_control: "° has not significantly more than the control, which has no ranking (corrected resampled t-test over the folds).",
};

/* A tidy table with methods as columns and what else identifies a cell as rows; null where that is not possible. */
function pivot(block) {
  const { made, keys, values } = block;
  const tested = Object.keys(MARKED).find(key => made.columns.includes(key) && records(made).some(row => row[key] === false));
  if (values.length !== 1) return null;
  const across = ["entry", "ranking", "ensemble", "method"].filter(key => made.columns.includes(key) && (keys.includes(key)));
  const lead = across.includes("entry") ? ["entry"] : across;
  // A column with one value would only make the table wider.
  const varies = key => unique(records(made).map(row => row[key])).length > 1;
  const down = ["variant", ...keys].filter((key, i, list) => made.columns.includes(key) && !lead.includes(key) && list.indexOf(key) === i && (key === "dataset" || varies(key)));
  if (!lead.length || !down.length) return null;
  const rows = new Map(), heads = new Map(), untested = new Set();
  for (const record of records(made)) {
    if (tested && record[tested] === null && record.control !== true && record.dataset) untested.add(record.dataset);
    const parts = unique(lead.map(key => record[key]));
    const name = parts.join(" "), place = down.map(key => record[key]).join("\u0000");
    const control = record.control === true;
    const key = "= " + name;
    heads.set(name, { key, label: data.names[name] ?? lead.map(key => spoken(key, record[key])).filter((text, i, list) => list.indexOf(text) === i).join(", "), number: true, contest: !control, control,
      ...(tested ? { text: row => format(row[key], true) + (row["? " + name] ? " °" : "") } : {}) });
    if (!rows.has(place)) rows.set(place, { ...Object.fromEntries(down.map(key => [key, record[key]])), measure: record.measure ?? block.measures?.get(record.dataset) });
    const row = rows.get(place);
    if ("= " + name in row) return null;
    row["= " + name] = record[values[0]];
    row["? " + name] = record[tested] === false;
  }
  if (heads.size < 2) return null;
  const found = [...heads.values()];
  const columns = [
    ...down.sort((a, b) => (a !== "dataset") - (b !== "dataset")).map(key => ({ key, label: head(key), number: false, text: row => spoken(key, row[key]) })),
    ...found.filter(c => !c.control), ...found.filter(c => c.control)];
  const falling = block.kind === "rank" || ["seconds", "average_rank", "p_value"].includes(values[0]);
  const rowBest = row => falling ? "min" : row.measure && !block.turned && !higher(row.measure) ? "min" : "max";
  const wide = table(columns, [...rows.values()], { caption: block.title, file: block.file, rowBest: values[0] === "p_value" ? null : rowBest });
  const without = untested.size ? ` Without folds there is no test: ${[...untested].join(", ")}.` : "";
  return tested ? el("div", {}, el("p", { class: "soft" }, MARKED[tested] + without), wide) : wide;
}

const spokenColumns = made => Object.fromEntries(made.columns.filter(key => TRANSLATED.has(key) || ["task", "mode", "measure", "quantity"].includes(key)).map(key => [key, { text: row => spoken(key, row[key]), number: false }]));
