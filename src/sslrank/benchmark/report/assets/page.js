"use strict";
/* The results page: everything is drawn from the JSON block "data". State lives in the link, e.g.
   #view=datasets&dataset=digits&k=40; a control writes there, and what depends on it is drawn again.
   Names come from data files: they enter the page as text only, never as HTML. */
(() => {
const data = JSON.parse(document.getElementById("data").textContent);
/* What is looked up by name, without what every object has: a method may be called "constructor". */
for (const found of [data.names, data.methodNames, data.tasks, data.shortTasks, data.measures, data.judges])
  Object.setPrototypeOf(found, null);

// --- small things ------------------------------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";

function fill(node, properties, children) {
  for (const [key, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined) node.append(child);
  return node;
}
const el = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
const svg = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

const isNumber = value => typeof value === "number";
const unique = values => [...new Set(values)];
const sum = values => values.reduce((a, b) => a + b, 0);
const label = name => data.names[name] ?? String(name);
const methodLabel = name => data.methodNames[name] ?? String(name);
const task = name => data.tasks[name] ?? String(name);
const shortTask = name => data.shortTasks[name] ?? String(name);
const higher = measure => data.measures[measure]?.higher ?? true;
const measureLabel = name => data.measures[name]?.name ?? name;
const better = measure => `${measureLabel(measure)} (${higher(measure) ? "higher" : "lower"} is better)`;
const short = (text, length = 28) => text.length > length ? text.slice(0, length - 1) + "…" : text;
const modeLabel = mode => mode.toUpperCase();

/* Text of a value; `fraction` says that integers are written like the other numbers of their column. */
function format(value, fraction = false) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (!isNumber(value)) return String(value);
  const size = Math.abs(value);
  const text = Number.isInteger(value) && size < 1e9 && (!fraction || size >= 1000) ? String(value)
    : value === 0 || (size >= 0.0005 && size < 1000) ? value.toFixed(size < 10 ? 3 : size < 100 ? 2 : 1) : size < 1e6 && size >= 1000 ? value.toFixed(0) : value.toPrecision(2);
  return text.replace("-", "−").replace("e+", "e");
}
const percent = value => value === null ? "" : `${Math.round(100 * value)} %`;
const pValue = value => value === null ? "no test" : value < 0.001 ? "p < 0.001" : value > 0.9995 ? "p = 1" : `p = ${value.toFixed(3)}`;
function seconds(value) {
  if (value === null || value === undefined) return "";
  if (value < 120) return `${value.toPrecision(value < 100 ? 2 : 3).replace("e+", "e")} s`;
  return value < 7200 ? `${(value / 60).toFixed(1)} min` : `${(value / 3600).toFixed(1)} h`;
}

/* A table of the data as a list of objects. */
const made = new Map();
function records(table) {
  if (!table) return [];
  if (!made.has(table)) {
    made.set(table, table.rows.map(row => Object.fromEntries(table.columns.map((name, i) => [name, row[i]]))));
  }
  return made.get(table);
}

// --- state -------------------------------------------------------------------------------------------------

const views = {};
let state = new URLSearchParams();

function readState() {
  state = new URLSearchParams(location.hash.slice(1));
  if (!Object.hasOwn(views, state.get("view"))) {
    const leads = Object.values(data.answers).some(Boolean) ? "overview" : "published";
    const guess = state.has("dataset") ? "datasets" : state.has("method") ? "methods" : leads;
    state.set("view", guess in views ? guess : Object.keys(views)[0]);
  }
}
function writeState(changes, push = false) {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === undefined) state.delete(key); else state.set(key, value);
  }
  const link = "#" + state.toString();
  if (push) history.pushState(null, "", link); else history.replaceState(null, "", link);
  draw();
}
/* The value of a key if it is one of the options, or the first of them. */
function chosen(key, options, fallback = options[0]) {
  const value = state.get(key);
  return options.find(option => String(option) === value) ?? (options.includes(fallback) ? fallback : options[0]);
}

// --- controls ----------------------------------------------------------------------------------------------

function select(key, title, options, value, { names = String, groups = null, also = {} } = {}) {
  const option = item => el("option", { value: String(item), selected: item === value }, names(item));
  const content = groups
    ? unique(options.map(groups)).map(group => el("optgroup", { label: group },
        options.filter(item => groups(item) === group).map(option)))
    : options.map(option);
  const change = event => writeState({ ...also, [key]: event.target.value });
  return el("label", {}, el("span", {}, title), el("select", { id: `control-${key}`, onchange: change }, content));
}
/* Nothing to choose from: nothing shown. */
const selectIf = (key, title, options, value, settings) =>
  options.length > 1 ? select(key, title, options, value, settings) : null;

function check(key, title, on, standard) {
  const change = event => writeState({ [key]: event.target.checked === standard ? null : Number(event.target.checked) });
  return el("label", { class: "check" },
    el("input", { type: "checkbox", id: `control-${key}`, checked: on, onchange: change }), title);
}
const flag = (key, standard) => state.has(key) ? state.get(key) === "1" : standard;

/* A name in a link; as it is where somebody cut the link short. */
function decoded(text) {
  try { return decodeURIComponent(text); } catch { return text; }
}

/* Checkboxes of the curves; what is shown is in the link once it is not the usual choice. */
function legend(key, title, items, usual) {
  const given = state.has(key) ? new Set(state.get(key).split("|").map(decoded)) : new Set(usual);
  const shown = items.filter(item => given.has(item.id));
  const set = names => writeState({ [key]: names.map(encodeURIComponent).join("|") });
  const box = item => el("label", { title: item.label },
    el("input", {
      type: "checkbox", id: `${key}-${items.indexOf(item)}`, checked: given.has(item.id),
      onchange: event => set(items.filter(x => x === item ? event.target.checked : given.has(x.id)).map(x => x.id)),
    }), swatch(item), el("span", { class: "name" }, item.label));
  const button = (name, ids) => el("button", { type: "button", class: "plain", id: `${key}-${name}`, onclick: () => set(ids) }, name);
  const others = items.filter(item => item.folded);
  return [[
    el("fieldset", { class: "legend" }, el("legend", {}, title), items.filter(item => !item.folded).map(box),
      items.length > 3 ? [button("all", items.filter(item => !item.folded).map(item => item.id)), button("none", [])] : null),
    others.length ? el("details", { open: others.some(item => given.has(item.id)) },
      el("summary", { id: `${key}-more` }, "Rankings that another member of their family stands for"), el("fieldset", { class: "legend" }, el("legend", { class: "hidden" }, "More rankings"), others.map(box))) : null,
  ], shown];
}

let liveTimer = 0;
function say(text) {
  clearTimeout(liveTimer);
  liveTimer = setTimeout(() => { document.getElementById("said").textContent = text; }, 50);
}

function copy(text, what) {
  const done = () => say(`${what} copied`);
  const byHand = () => {
    const area = el("textarea", { class: "hidden", "aria-hidden": "true" }, text);
    document.body.append(area);
    area.select();
    const fine = document.execCommand("copy");
    area.remove();
    if (fine) done(); else say("The browser does not allow copying.");
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, byHand); else byHand();
}

// --- looks of the methods ----------------------------------------------------------------------------------

const MARKS = {
  circle: r => `M${-r},0a${r},${r} 0 1,0 ${2 * r},0a${r},${r} 0 1,0 ${-2 * r},0`,
  square: r => `M${-r},${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  triangle: r => `M0,${-1.2 * r}L${1.2 * r},${r}L${-1.2 * r},${r}z`,
  diamond: r => `M0,${-1.4 * r}L${1.2 * r},0L0,${1.4 * r}L${-1.2 * r},0z`,
  down: r => `M0,${1.2 * r}L${1.2 * r},${-r}L${-1.2 * r},${-r}z`,
  plus: r => `M${-r},${-r / 3}h${r * 2 / 3}v${-r * 2 / 3}h${r * 2 / 3}v${r * 2 / 3}h${r * 2 / 3}v${r * 2 / 3}h${-r * 2 / 3}v${r * 2 / 3}h${-r * 2 / 3}v${-r * 2 / 3}h${-r * 2 / 3}z`,
};
const MARK_NAMES = Object.keys(MARKS);
const looks = new Map();
const groupLook = number => {
  looks.set(`group ${number}`, { colour: `var(--s${number % 8})`, mark: MARK_NAMES[number % 5], control: null });
  return `group ${number}`;
};
/* Colour and mark of a ranking, the same in all views: controls are grey. */
function look(name, control = data.controls.includes(name)) {
  if (!looks.has(name)) {
    const number = [...looks.values()].filter(item => item.control === control).length;
    const colour = control ? `var(--c${number % 3})` : `var(--s${number % 8})`;
    const mark = control ? "plus" : MARK_NAMES[(number + 3 * Math.floor(number / 8)) % 5];
    looks.set(name, { colour, mark, control });
  }
  return looks.get(name);
}
looks.set("", { colour: "var(--accent)", mark: "circle", control: null });
// Looks are given in one order, whatever is opened first: a link shows what it showed.
for (const name of data.order) look(name);
for (const found of Object.values(data.curves)) for (const entry of found.series) look(entry[6]);

function mark(name, x, y, size = 4, hollow = false) {
  const { colour, mark } = look(name);
  return svg("path", {
    d: MARKS[mark](size), transform: `translate(${x.toFixed(1)},${y.toFixed(1)})`,
    fill: hollow ? "var(--card)" : colour, stroke: colour, "stroke-width": 1.5,
  });
}
function swatch(item) {
  const { colour } = look(item.look);
  return svg("svg", { width: 30, height: 14, "aria-hidden": "true" },
    svg("line", { x1: 1, x2: 29, y1: 7, y2: 7, stroke: colour, "stroke-width": 2.2, "stroke-dasharray": item.dashed ? "5 3" : null }),
    mark(item.look, 15, 7, 4, item.dashed));
}
/* Name of a method with its mark, for table cells. */
function named(name) {
  return el("span", { class: "named", title: label(name) },
    svg("svg", { width: 16, height: 14, "aria-hidden": "true" }, mark(name, 8, 7)), "\u00a0", label(name));
}

// --- tables ------------------------------------------------------------------------------------------------

const ROWS = 100;

/* A table that can be sorted, filtered and copied.
   columns: {key, label, number, show(row) -> text or node, text(row), best: "max" | "min", control, wide};
   rowBest: "max" or "min" of each row's columns that have `contest`, in bold; a function of the row also does. */
function table(columns, rows, { caption, file = null, rowBest = null, isControl = null, tall = false } = {}) {
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
  function show() {
    const found = visible();
    const shown = all ? found : found.slice(0, ROWS);
    body.replaceChildren(...shown.map(row => {
      const top = best(row);
      return el("tr", { class: isControl?.(row) ? "control" : null },
        columns.map((column, i) => {
          const content = column.show ? column.show(row) : text(column, row);
          const names = [column.number ? "number" : null, column.control ? "control" : null,
            isBest(column, row, top) ? "best" : null, column.class?.(row),
            !column.number && text(column, row).length > 60 ? "wide" : !column.number && text(column, row).length > 24 ? "wrap" : null];
          const cell = { class: names.filter(Boolean).join(" ") || null, style: column.style?.(row) };
          return i === 0 ? el("th", { scope: "row", title: text(column, row).length > 30 ? text(column, row) : null, ...cell }, content) : el("td", cell, content);
        }));
    }));
    count.textContent = found.length === rows.length ? `${rows.length} row${rows.length === 1 ? "" : "s"}` : `${found.length} of ${rows.length} rows`;
    more.replaceChildren();
    if (shown.length < found.length) {
      more.append(el("button", { type: "button", class: "plain", onclick: () => { all = true; show(); } },
        `show all ${found.length} rows`));
    }
  }
  const heads = columns.map(column => el("th", { scope: "col", class: [column.number ? "number" : "", column.control ? "control" : ""].join(" ").trim() || null },
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
    count, file ? el("a", { href: file.split("/").map(encodeURIComponent).join("/") }, file) : null);
  show();
  return el("div", { class: "table" }, tools,
    el("div", { class: tall ? "box tall" : "box", tabindex: "0", role: "region", "aria-label": caption },
      el("table", {}, el("caption", { class: "hidden" }, caption), el("thead", {}, el("tr", {}, heads)), body)), more);
}

const plain = (made, settings = {}) => table(
  made.columns.map(key => ({ key, label: head(key), ...(settings.columns?.[key] ?? {}) })), records(made), settings);
const HEADS = { labeled: "labelled", p_holm: "p, Holm", p_value: "p", cd: "CD", ch: "CH (variances)", ch_deviation: "CH (deviations)" };
const QUANTITIES = { ch: "CH", delta: "SSL minus SL", share_delta_positive: "share with SSL above SL" };
const head = key => HEADS[key] ?? key.replaceAll("_", " ");
const judge = name => data.judges[name] ?? name;
const TRANSLATED = new Set(["ranking", "method", "contestant", "ensemble", "first", "second"]);
const spoken = (key, value) => value === null ? "" : key === "method" ? methodLabel(value) : key === "evaluator" ? judge(value) : TRANSLATED.has(key) ? label(value)
  : key === "source" ? String(value).replace(/^table([\d-]+).*$/, (_, number) => `Table ${number.replace("-", ".")}`) : key === "task" ? shortTask(value) : key === "measure" ? measureLabel(value) : key === "mode" ? modeLabel(value) : key === "quantity" ? QUANTITIES[value] ?? head(value) : format(value);

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
  const across = ["contestant", "ranking", "ensemble", "method"].filter(key => made.columns.includes(key) && (keys.includes(key)));
  const lead = across.includes("contestant") ? ["contestant"] : across;
  const down = ["variant", ...keys].filter((key, i, list) => made.columns.includes(key) && !lead.includes(key) && list.indexOf(key) === i);
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
    if (!rows.has(place)) rows.set(place, { ...Object.fromEntries(down.map(key => [key, record[key]])), measure: record.measure });
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

// --- charts ------------------------------------------------------------------------------------------------

function ticks(low, high, count = 6) {
  const span = high - low || 1;
  const power = 10 ** Math.floor(Math.log10(span));
  const step = [0.1, 0.2, 0.5, 1, 2].map(x => x * power).find(x => span / x <= count) ?? power * 5;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}
const tickText = value => value === 0 ? "0" : Math.abs(value) >= 1e5 || Math.abs(value) < 1e-4 ? value.toExponential(0).replace("e+", "e") : String(Number(value.toPrecision(6))).replace("-", "−");

function logTicks(low, high) {
  const found = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++) {
    for (const factor of high / low < 50 ? [1, 2, 5] : [1]) {
      const value = Number((factor * 10 ** power).toPrecision(6));
      if (value >= low * 0.999 && value <= high * 1.001) found.push(value);
    }
  }
  return found;
}

let widthOf = 0;
const chartWidth = (most = 1200) => Math.max(280, Math.min(most, widthOf - 12));

/* Frame with axes; x and y are {low, high, label, log, at: [[value, text], ...]}. Returns the svg and its scales. */
function frame({ width, height, x, y, title, right = 16, square = false }) {
  const wide = Math.max(...(y.at ?? (y.log ? logTicks(y.low, y.high) : ticks(y.low, y.high))).map(t => (Array.isArray(t) ? t[1] : tickText(t)).length));
  const left = 30 + 7 * Math.min(wide, 8), bottom = 44, top = 12;
  const turn = axis => axis.log ? Math.log10 : Number;
  const scale = (axis, from, to) => {
    const f = turn(axis), low = f(axis.low), high = f(axis.high);
    return value => from + (high === low ? 0.5 : (f(value) - low) / (high - low)) * (to - from);
  };
  const px = scale(x, left, width - right), py = scale(y, height - bottom, top);
  const node = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": title });
  const marksOf = axis => (axis.at ?? (axis.log ? logTicks : ticks)(axis.low, axis.high)).map(t => Array.isArray(t) ? t : [t, tickText(t)]);
  let last = -1e9;
  for (const [value, text] of marksOf(x)) {
    const place = px(value);
    node.append(svg("line", { class: "grid", x1: place, x2: place, y1: top, y2: height - bottom }));
    if (place - last < 8 + 7 * text.length) continue;
    last = place;
    node.append(svg("text", { class: "soft", x: place, y: height - bottom + 16, "text-anchor": "middle" }, text));
  }
  for (const [value, text] of marksOf(y)) {
    const place = py(value);
    node.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: place, y2: place }),
      svg("text", { class: "soft", x: left - 6, y: place + 4, "text-anchor": "end" }, text));
  }
  node.append(
    svg("text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, short(x.label, Math.floor(width / 7))),
    svg("text", { transform: `translate(13,${(height - bottom + top) / 2}) rotate(-90)`, "text-anchor": "middle" }, short(y.label, Math.floor(height / 7))));
  return { node, px, py, left, right: width - right, top, bottom: height - bottom };
}

function within(node) {
  const tip = el("div", { class: "tip", hidden: true });
  const box = el("div", { class: "chart" }, node, tip);
  const put = (lines, x, y) => {
    tip.replaceChildren(...lines.map(line => el("p", {}, line)));
    tip.hidden = false;
    const scale = node.getBoundingClientRect().width / node.viewBox.baseVal.width;
    const place = x * scale + 14, room = box.clientWidth - tip.offsetWidth - 4;
    tip.style.left = `${Math.max(2, place > room ? x * scale - tip.offsetWidth - 6 : place)}px`;
    tip.style.top = `${Math.max(2, Math.min(y * scale - 10, box.clientHeight - tip.offsetHeight - 4))}px`;
  };
  const point = event => {
    const place = node.getBoundingClientRect(), scale = node.viewBox.baseVal.width / place.width;
    return [(event.clientX - place.left) * scale, (event.clientY - place.top) * scale];
  };
  return { box, put, point, hide: () => { tip.hidden = true; } };
}

function extent(values, pad = 0.05) {
  const known = values.filter(isNumber);
  if (!known.length) return [0, 1];
  const low = Math.min(...known), high = Math.max(...known), margin = pad * (high - low) || Math.abs(high) * 0.1 || 0.5;
  return [low - margin, high + margin];
}

/* Curves with bands. series: {id, label, look, dashed, points: [[x, y, spread], ...]}. */
function curves(series, { x, y, title, band }) {
  const width = chartWidth(1000), height = Math.max(280, Math.min(420, width * 0.5));
  const every = series.flatMap(item => item.points);
  const places = unique(every.map(p => p[0])).sort((a, b) => a - b);
  if (!places.length) return el("p", { class: "soft" }, "Nothing is switched on.");
  const log = places.length > 1 && places[0] > 0 && places[places.length - 1] / places[0] > 100;
  const margin = 0.02 * (places[places.length - 1] - places[0]) || 1;
  const ends = log ? [places[0] / 1.1, places[places.length - 1] * 1.1] : [places[0] - margin, places[places.length - 1] + margin];
  const [low, high] = extent(every.flatMap(p => band && isNumber(p[2]) ? [p[1] - p[2], p[1] + p[2]] : [p[1]]));
  const { node, px, py, top, bottom } = frame({
    width, height, title, x: { ...x, low: ends[0], high: ends[1], log, at: x.at ?? (places.length <= 12 && !log ? places.map(v => [v, tickText(v)]) : null) },
    y: { ...y, low, high },
  });
  for (const item of series) {
    const points = item.points.filter(p => isNumber(p[1]));
    if (!points.length) continue;
    const colour = look(item.look).colour;
    if (band && !look(item.look).control) {
      const known = points.filter(p => isNumber(p[2]));
      const edge = sign => known.map(p => `${px(p[0]).toFixed(1)},${py(p[1] + sign * p[2]).toFixed(1)}`);
      if (known.length > 1) node.append(svg("polygon", { points: [...edge(1), ...edge(-1).reverse()].join(" "), fill: colour, "fill-opacity": series.length > 4 ? 0.07 : 0.14 }));
    }
    node.append(svg("polyline", {
      points: points.map(p => `${px(p[0]).toFixed(1)},${py(p[1]).toFixed(1)}`).join(" "), fill: "none", stroke: colour,
      "stroke-width": 2, "stroke-dasharray": item.dashed ? "6 4" : null,
    }));
    const step = Math.ceil(points.length / 12);
    points.forEach((p, i) => { if (i % step === 0) node.append(mark(item.look, px(p[0]), py(p[1]), 4, item.dashed)); });
  }
  const line = svg("line", { class: "axis", y1: top, y2: bottom, "stroke-dasharray": "3 3", visibility: "hidden" });
  node.append(line);
  const { box, put, point, hide } = within(node);
  let at = -1;
  const showAt = i => {
    at = i;
    const value = places[i], place = px(value);
    line.setAttribute("x1", place); line.setAttribute("x2", place); line.setAttribute("visibility", "visible");
    const found = series.map(item => [item, item.points.find(p => p[0] === value)]).filter(([, p]) => p && isNumber(p[1]));
    found.sort((a, b) => b[1][1] - a[1][1]);
    const lines = found.map(([item, p]) => `${short(item.label, 34)}: ${format(p[1])}${isNumber(p[2]) ? ` ± ${format(p[2])}` : ""}`);
    const first = `${x.label}: ${x.at?.find(t => t[0] === value)?.[1] ?? tickText(value)}`;
    put([el("strong", {}, first), ...lines.slice(0, 14), ...(lines.length > 14 ? [`and ${lines.length - 14} more`] : [])], place, top + 10);
    return [first, ...lines].join("; ");
  };
  const leave = () => { line.setAttribute("visibility", "hidden"); hide(); at = -1; };
  node.addEventListener("pointermove", event => {
    const [place] = point(event);
    showAt(places.reduce((best, value, i) => Math.abs(px(value) - place) < Math.abs(px(places[best]) - place) ? i : best, 0));
  });
  node.addEventListener("pointerleave", leave);
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `${title}. Left and right arrow keys read the values.`);
  box.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") leave();
    if (!step) return;
    event.preventDefault();
    say(showAt(Math.max(0, Math.min(places.length - 1, at < 0 ? (step > 0 ? 0 : places.length - 1) : at + step))));
  });
  box.addEventListener("blur", leave);
  return box;
}

/* The same where there is one place only: bars. */
function spots(series, axis, title, band) {
  const items = series.map(({ label: text, look: name, points: [[, value, spread]] }) => ({
    label: text, look: name, value, low: band && isNumber(spread) ? value - spread : null, high: band && isNumber(spread) ? value + spread : null }));
  return items.length ? bars(items, { title, label: axis }) : el("p", { class: "soft" }, "Nothing is switched on.");
}

/* Points with names. items: {x, y, look, lines, hollow}; the diagonal where `equal`. */
function scatter(items, { x, y, title, equal = false, log = false, onPick = null, most = 620 }) {
  const width = chartWidth(most), height = equal ? Math.min(width * 0.86, 520) : Math.min(360, width * 0.62);
  const ends = key => {
    const values = items.map(item => item[key]);
    if (log) return [Math.min(...values) / 1.3, Math.max(...values) * 1.3];
    return extent(values);
  };
  let [xs, ys] = [ends("x"), ends("y")];
  if (equal) xs = ys = [Math.min(xs[0], ys[0]), Math.max(xs[1], ys[1])];
  const { node, px, py, left, right, top, bottom } = frame({ width, height, title, x: { ...x, low: xs[0], high: xs[1], log }, y: { ...y, low: ys[0], high: ys[1], log } });
  if (equal) {
    node.append(svg("line", { class: "axis", x1: px(xs[0]), y1: py(xs[0]), x2: px(xs[1]), y2: py(xs[1]), "stroke-dasharray": "4 4" }));
    if (!log && xs[0] < 0 && xs[1] > 0) {
      node.append(svg("line", { class: "axis", x1: px(0), x2: px(0), y1: top, y2: bottom, "stroke-width": 0.7 }),
        svg("line", { class: "axis", x1: left, x2: right, y1: py(0), y2: py(0), "stroke-width": 0.7 }));
    }
  }
  for (const item of items) node.append(mark(item.look, px(item.x), py(item.y), 4, item.hollow));
  const ring = svg("circle", { r: 8, fill: "none", stroke: "var(--text)", "stroke-width": 1.5, visibility: "hidden" });
  node.append(ring);
  const { box, put, point, hide } = within(node);
  const show = item => {
    ring.setAttribute("cx", px(item.x)); ring.setAttribute("cy", py(item.y)); ring.setAttribute("visibility", "visible");
    put(item.lines, px(item.x), py(item.y));
  };
  const leave = () => { ring.setAttribute("visibility", "hidden"); hide(); };
  const nearest = event => {
    const [a, b] = point(event);
    const far = item => (px(item.x) - a) ** 2 + (py(item.y) - b) ** 2;
    const item = items.reduce((best, each) => far(each) < far(best) ? each : best, items[0]);
    return item && far(item) < 900 ? item : null;
  };
  node.addEventListener("pointermove", event => { const item = nearest(event); if (item) show(item); else leave(); });
  node.addEventListener("pointerleave", leave);
  if (onPick) node.addEventListener("click", event => { const item = nearest(event); if (item) onPick(item); });
  let at = -1;
  box.tabIndex = 0;
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", `${title}. Left and right arrow keys go through the points.`);
  box.addEventListener("keydown", event => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") leave();
    if (!step || !items.length) return;
    event.preventDefault();
    at = (at + step + items.length) % items.length;
    show(items[at]);
    say(items[at].lines.join("; "));
  });
  box.addEventListener("blur", leave);
  return box;
}

/* Horizontal bars with a spread. items: {label, value, low, high, look, text}. */
function bars(items, { title, label: axis, log = false, zero = true }) {
  const width = chartWidth(620), row = 24, top = 8, bottom = 40;
  const left = Math.min(Math.max(...items.map(item => short(item.label).length)) * 7 + 14, width * 0.42), right = 64;
  const height = top + row * items.length + bottom;
  const values = items.flatMap(item => [item.value, item.low, item.high]).filter(isNumber);
  let low = Math.min(...values, zero && !log ? 0 : Infinity), high = Math.max(...values, zero && !log ? 0 : -Infinity);
  if (log) { low /= 1.5; high *= 1.2; }
  if (high === low) high = low + 1;
  const f = log ? Math.log10 : Number;
  const px = value => left + (f(value) - f(low)) / (f(high) - f(low)) * (width - left - right);
  const node = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${title}: ${items.map(i => `${i.label} ${i.text ?? format(i.value, true)}`).join("; ")}` });
  for (const value of (log ? logTicks : ticks)(low, high, 5)) {
    node.append(svg("line", { class: "grid", x1: px(value), x2: px(value), y1: top, y2: height - bottom }),
      svg("text", { class: "soft", x: px(value), y: height - bottom + 15, "text-anchor": "middle" }, tickText(value)));
  }
  items.forEach((item, i) => {
    const y = top + row * i + 4, base = log ? low : Math.max(low, Math.min(0, high));
    const [from, to] = [px(base), px(item.value)].sort((a, b) => a - b);
    node.append(
      svg("text", { x: left - 6, y: y + 12, "text-anchor": "end" }, short(item.label, Math.floor((left - 10) / 7)), svg("title", {}, item.label)),
      svg("rect", { x: from, y, width: Math.max(1, to - from), height: row - 8, fill: look(item.look).colour, "fill-opacity": 0.75 }));
    if (isNumber(item.low)) node.append(svg("line", { class: "axis", x1: px(item.low), x2: px(item.high), y1: y + 8, y2: y + 8, "stroke-width": 2 }));
    node.append(svg("text", { class: "soft", x: Math.max(to, isNumber(item.high) ? px(item.high) : 0) + 6, y: y + 12 }, item.text ?? format(item.value, true)));
  });
  node.append(svg("text", { x: width / 2, y: height - 8, "text-anchor": "middle" }, short(axis, Math.floor(width / 6.5))));
  return el("div", { class: "chart" }, node);
}

/* Critical-distance diagram: average ranks on an axis, a bar joins what a test does not tell apart. */
function diagram(ranks, groups, distance, title) {
  // Where it is narrow all names stand on the right.
  const width = chartWidth(820), n = ranks.length, narrow = width < 560, half = narrow ? 0 : Math.ceil(n / 2);
  const names = ranks.map(item => label(item.name));
  const side = Math.min(width * (narrow ? 0.55 : 0.36), 44 + 7.5 * Math.max(...names.map(name => Math.min(name.length, 30))));
  const start = narrow ? 14 : side;
  const high = Math.max(2, n), axis = distance ? 52 : 30, gap = 9, first = axis + 20 + gap * groups.length;
  const height = first + 22 * Math.max(half - 1, n - half - 1, 0) + 20;
  const px = rank => start + (rank - 1) / (high - 1) * (width - side - start);
  const node = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${title}: ${ranks.map(r => `${label(r.name)} ${format(r.rank)}`).join("; ")}` });
  node.append(svg("line", { stroke: "var(--text)", x1: px(1), x2: px(high), y1: axis, y2: axis }));
  const every = Math.ceil(high / Math.max(1, (width - side - start) / 18));
  for (let tick = 1; tick <= high; tick += every) {
    node.append(svg("line", { stroke: "var(--text)", x1: px(tick), x2: px(tick), y1: axis - 5, y2: axis }),
      svg("text", { x: px(tick), y: axis - 9, "text-anchor": "middle" }, String(tick)));
  }
  if (distance) {
    const end = Math.min(px(1 + distance), px(high)), cut = 1 + distance > high;
    node.append(svg("line", { stroke: "var(--text)", "stroke-width": 2, x1: px(1), x2: end, y1: 20, y2: 20, "stroke-dasharray": cut ? "8 3" : null }),
      svg("text", { x: px(1), y: 12 }, `critical distance ${format(distance)}${cut ? ", longer than the axis" : ""}`));
  }
  ranks.forEach(({ name, rank }, i) => {
    const isLeft = i < half, y = first + 22 * (isLeft ? i : n - 1 - i), edge = isLeft ? side - 8 : width - side + 8;
    const text = isLeft ? `${short(label(name), 30)}  ${rank.toFixed(2)}` : `${rank.toFixed(2)}  ${short(label(name), 30)}`;
    node.append(svg("polyline", { points: `${px(rank)},${axis} ${px(rank)},${y} ${edge},${y}`, fill: "none", stroke: look(name).colour, "stroke-width": 1.2 }),
      mark(name, px(rank), axis, 3.5),
      svg("text", { x: edge + (isLeft ? -4 : 4), y: y + 4, "text-anchor": isLeft ? "end" : "start" }, text, svg("title", {}, label(name))));
  });
  groups.forEach((members, i) => {
    const places = ranks.filter(item => members.includes(item.name)).map(item => px(item.rank));
    const y = axis + 9 + gap * i;
    node.append(svg("line", { stroke: "var(--text)", "stroke-width": 4, x1: Math.min(...places) - 4, x2: Math.max(...places) + 4, y1: y, y2: y }));
  });
  return el("div", { class: "chart" }, node);
}

// --- overview ----------------------------------------------------------------------------------------------

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

// --- datasets ----------------------------------------------------------------------------------------------

const available = data.datasets.filter(item => item.available);

if (available.length) views.datasets = ["Datasets", () => {
  const names = available.map(item => item.dataset), name = chosen("dataset", names);
  const info = available.find(item => item.dataset === name);
  const facts = Object.entries(info).filter(([key, value]) => !["dataset", "available", "reason", "note", "title", "task"].includes(key) && value !== null && value !== "");
  return [
    el("div", { class: "controls" }, select("dataset", "Dataset", names, name, { names: n => short(n, 60), groups: n => task(available.find(item => item.dataset === n).task) })),
    el("h3", {}, info.title ? `${info.title} (${name})` : name),
    el("dl", { class: "facts" }, el("div", {}, el("dt", {}, "kind of target"), el("dd", {}, task(info.task))),
      facts.map(([key, value]) => el("div", {}, el("dt", {}, key === "published" ? "name in print" : head(key)), el("dd", {}, format(value))))),
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
  const items = found.series.map((entry, i) => {
    const [method, ranking, mode, contestant, missing] = entry;
    const at = choices.indexOf(fixed), values = block.v[i], spreads = block.s[i];
    const points = block[over].map((place, j) => {
      const [l, k] = over === "L" ? [j, at] : [at, j], index = l * block.k.length + k;
      return [over === "L" ? block.x[j] : place, values?.[index] ?? null, spreads?.[index] ?? null];
    });
    const text = [entry[5], data.modes.length > 1 ? modeLabel(mode) : null].filter(Boolean).join(", ") + (missing ? " *" : "");
    return { id: `${method} ${ranking} ${mode}`, mode, label: text, look: entry[6], dashed: mode === "sl", usual: contestant && mode === data.modes[0], folded: !contestant, points, missing };
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
  const called = row => data.controls.includes(row.method) || row.ranking === row.method ? methodLabel(row.method) : `${label(row.ranking)}, ${methodLabel(row.method)}`;
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
        items.length ? bars(items, { title: `Importances by ${label(one)}`, label: "importance: mean and standard deviation over the folds" }) : null,
        stable.size && tops.length ? [
          el("h3", {}, "Stability over the folds"),
          el("p", { class: "soft" }, "1: every fold gives the same, 0: as random rankings. Sets of the best features by Nogueira et al. 2018, with 95 % intervals; whole rankings by Spearman's correlation."),
          table([{ key: "ranking", label: "ranking", number: false, text: called },
            ...tops.map(([key, text]) => ({ key, label: text, number: true, best: "max", text: row => row[`${key} interval`] ?? (isNumber(row[key]) ? row[key].toFixed(2) : "") }))],
            [...stable.values()].filter(row => tops.some(([key]) => isNumber(row[key]))), { caption: `Stability on ${name}`, file: data.stabilityFile, isControl: row => data.controls.includes(row.method) })] : null)),
  ];
}

// --- methods -----------------------------------------------------------------------------------------------

if (data.methods.length) views.methods = ["Methods", () => {
  const names = data.methods.map(item => item.name), name = chosen("method", names);
  const item = data.methods.find(each => each.name === name);
  const mine = scoreRows.filter(row => row.method === name && row.mode === data.modes[0]);
  const rankings = unique(mine.map(row => row.contestant)), ranking = chosen("of", rankings);
  const places = mine.filter(row => row.contestant === ranking && row.counts).map(row => {
    const field = scoreRows.filter(other => other.dataset === row.dataset && other.mode === row.mode && other.counts && other.score !== null);
    const beats = field.filter(other => higher(row.measure) ? other.score > row.score : other.score < row.score);
    const ties = field.filter(other => other.score === row.score).length;
    return { ...row, rank: beats.length + (ties + 1) / 2, of: field.length };
  }).sort((a, b) => a.rank - b.rank);
  const mostPlaces = unique(scoreRows.filter(row => row.contestant === ranking && row.mode === data.modes[0] && row.counts).map(row => row.dataset)).length;
  const failures = records(data.runs.failures).filter(row => row.method === name);
  const params = Object.entries(item.params ?? {});
  const isControl = data.controls.includes(name);
  return [
    el("div", { class: "controls" }, select("method", "Method", names, name, { names: n => short(methodLabel(n), 60) })),
    el("h3", {}, methodLabel(name)),
    el("p", { class: "soft" }, [methodLabel(name) === name ? null : `${name} in files. `, item.ranker ? `Ranker ${item.ranker}. ` : null, isControl ? "A control: it takes no part in ranks and tests." : null].filter(Boolean).join("")),
    item.title ? el("p", {}, el("strong", {}, `${item.title}.`)) : null,
    item.summary ? el("p", { class: "doc" }, item.summary) : null,
    item.sections.map(([title, text]) => [el("h4", {}, title), el("p", { class: "doc" }, text)]),
    params.length ? [el("h3", {}, "Parameters in this study"), table([{ key: "name", label: "parameter", number: false }, { key: "value", label: "value", number: false }],
      params.map(([key, value]) => ({ name: key, value: typeof value === "string" ? value : JSON.stringify(value) })), { caption: `Parameters of ${methodLabel(name)}` })] : null,
    places.length ? [
      el("h3", {}, "Where it is good"),
      el("div", { class: "controls" }, selectIf("of", "Its ranking", rankings, ranking, { names: label })),
      el("p", { class: "soft" }, `Its place among the rankings on each dataset, the best first${data.modes.length > 1 ? `, ${modeLabel(data.modes[0])}` : ""}.${places.length < mostPlaces ? " On the others another member of its family stands for it." : ""}`),
      table([
        { key: "dataset", label: "dataset" }, { key: "task", label: "kind of target", text: row => shortTask(row.task) },
        { key: "rank", label: "place", text: row => row.rank === null ? "" : String(row.rank) }, { key: "of", label: "of" },
        { key: "measure", label: "measure", text: row => measureLabel(row.measure) }, { key: "score", label: "score" }, { key: "standard_error", label: "standard error" },
        { key: "relative", label: "0 random, 1 oracle" },
      ].filter(c => places.some(row => row[c.key] !== null)), places, { caption: `Places of ${methodLabel(name)}` }),
    ] : isControl ? null : el("p", { class: "soft" }, "Another member of its family, which ranks better, stands for it in the comparison; its curves are in the view Datasets."),
    el("h3", {}, "Failures and notes"),
    failures.length ? plain(data.runs.failures && { columns: data.runs.failures.columns, rows: data.runs.failures.rows.filter(row => row[data.runs.failures.columns.indexOf("method")] === name) }, { caption: `Failures of ${methodLabel(name)}` })
      : el("p", {}, "Every fit of it succeeded."),
  ];
}];

// --- pairs -------------------------------------------------------------------------------------------------

if (pairRows.length) views.pairs = ["Pairs", () => {
  const [mode, kind, controls] = contestControls(pairRows);
  const rows = pairRows.filter(row => row.mode === mode && row.task === kind);
  const names = unique(rows.flatMap(row => [row.first, row.second]));
  const of = new Map();
  for (const row of rows) {
    of.set(row.first + "\u0000" + row.second, row);
    of.set(row.second + "\u0000" + row.first, { ...row, first: row.second, second: row.first, wins: row.losses, losses: row.wins, mean_difference: row.mean_difference === null ? null : -row.mean_difference, first_better: row.second_better, second_better: row.first_better });
  }
  const most = Math.max(...rows.map(row => Math.abs(row.mean_difference ?? 0))) || 1;
  const heat = row => row.mean_difference === null ? (row.wins - row.losses) / Math.max(1, row.n_datasets) : row.mean_difference / most;
  const matrix = el("div", { class: "box", tabindex: "0", role: "region", "aria-label": "Multiple comparison matrix" }, el("table", {},
    el("caption", { class: "hidden" }, "Multiple comparison matrix"),
    el("thead", {}, el("tr", {}, el("td"), names.map(n => el("th", { scope: "col" }, named(n))))),
    el("tbody", {}, names.map(a => el("tr", {}, el("th", { scope: "row" }, named(a)), names.map(b => {
      const row = of.get(a + "\u0000" + b);
      if (!row) return el("td", { class: "cell" }, "·");
      const lean = heat(row);
      return el("td", { class: `cell ${lean > 0 ? "plus" : "minus"}${row.significant ? " best" : ""}`, style: `--heat: ${Math.abs(lean).toFixed(3)}` },
        row.mean_difference === null ? null : el("span", {}, format(row.mean_difference)),
        `${row.wins} / ${row.ties} / ${row.losses}`, el("span", {}, pValue(row.p_holm)));
    }))))));
  const first = chosen("first", names), rest = names.filter(n => n !== first), second = chosen("second", rest);
  const pair = of.get(first + "\u0000" + second);
  const byDataset = new Map();
  for (const row of scoreRows) {
    if (row.mode !== mode || !row.counts || (kind !== "all" && row.task !== kind) || ![first, second].includes(row.contestant)) continue;
    if (!byDataset.has(row.dataset)) byDataset.set(row.dataset, { dataset: row.dataset, task: row.task, measure: row.measure });
    byDataset.get(row.dataset)[row.contestant === first ? "a" : "b"] = row.score;
  }
  const both = [...byDataset.values()].filter(row => isNumber(row.a) && isNumber(row.b))
    .map(row => ({ ...row, difference: (higher(row.measure) ? 1 : -1) * (row.a - row.b) })).sort((x, y) => y.difference - x.difference);
  return [
    el("div", { class: "controls" }, controls),
    el("h3", {}, "Every pair"),
    el("p", { class: "soft" }, "Row against column: mean difference (positive: the row is better), wins / ties / losses, Wilcoxon's p with Holm's correction; bold where significant. A pair's difference and counts do not depend on who else takes part; Holm's correction does. Where datasets have different measures there is no mean difference, and the colour shows wins minus losses."),
    matrix, tableLink("pairs"),
    el("h3", {}, "Two of them, dataset by dataset"),
    el("div", { class: "controls" },
      select("first", "First", names, first, { names: n => short(label(n), 40) }), select("second", "Second", rest, second, { names: n => short(label(n), 40) })),
    pair ? el("p", {}, `${label(first)} against ${label(second)}: better on ${pair.wins}, equal on ${pair.ties}, worse on ${pair.losses} of ${pair.n_datasets} datasets; ` +
      `${pValue(pair.p_value)} (Wilcoxon), ${pValue(pair.p_holm)} with Holm's correction${pair.significant ? ": they differ." : ": no test tells them apart."}` +
      (isNumber(pair.first_better) ? ` Bayesian signed-rank test: the first is better with probability ${pair.first_better.toFixed(2)}, they are equal to 0.01 with ${pair.equivalent.toFixed(2)}, the second is better with ${pair.second_better.toFixed(2)}.` : "")) : null,
    both.length ? el("div", { class: "columns" },
      bars(both.slice(0, 60).map(row => ({ label: row.dataset, value: row.difference, look: row.difference >= 0 ? first : second, text: format(row.difference) })),
        { title: `Differences of ${label(first)} and ${label(second)}`, label: `difference; above 0 ${short(label(first), 24)} is better` }),
      table([{ key: "dataset", label: "dataset" }, { key: "measure", label: "measure", text: row => measureLabel(row.measure) },
        { key: "a", label: label(first), contest: true }, { key: "b", label: label(second), contest: true }, { key: "difference", label: "difference" }],
        both, { caption: `${label(first)} and ${label(second)}, dataset by dataset`, rowBest: row => higher(row.measure) ? "max" : "min" })) : null,
  ];
}];

const tableLink = name => el("p", { class: "soft" }, el("a", { href: data.tables[name].file }, data.tables[name].file));

// --- published and reproduced ------------------------------------------------------------------------------

if (data.published.length) views.published = ["Published and reproduced", () => {
  const names = data.published.map(block => block.name);
  const found = data.published.filter(block => records(block.made).some(row => row.reproduced !== null));
  const first = (found.find(block => block.name !== "dataset_statistics") ?? found[0])?.name;
  const name = chosen("table", names, first);
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
    el("p", {}, `${both.length} of ${rows.length} published cells have a counterpart here` + (both.length ? `; ${counts(both)}.` : ".")),
    both.length ? el("div", { class: "columns" },
      el("div", {},
        group ? el("p", { class: "legend" }, groups.map(value => el("label", {}, swatch({ look: groupLook(kinds.indexOf(value)) }), el("span", { class: "name" }, spoken(group, value))))) : null,
        shown.length ? scatter(shown.map(row => ({ x: row.published, y: row.reproduced, look: lookOf(row), lines: lines(row), row })), { x: { label: "published" }, y: { label: "reproduced" }, title: "Published and reproduced values", equal: true, log }) : null,
        far.size ? el("p", { class: "soft" }, `${far.size} cells far from all others are in the table only: ${[...far].slice(0, 4).map(row => lines(row).slice(0, 2).join(", ")).join("; ")}${far.size > 4 ? " …" : "."}`) : null),
      agreement ? el("div", {}, el("h4", {}, "Agreement"), plain(agreement, { caption: "Agreement with the published table", columns: spokenColumns(agreement) })) : null) : null,
    (block.contest ?? []).map(part => [el("h4", {}, part.title), plain(part.made, { caption: part.title, file: part.file, columns: spokenColumns(part.made) })]),
    el("h3", {}, "Cell by cell"),
    table([...keys.map(key => ({ key, label: head(key), number: false, text: row => spoken(key, row[key]) })),
      ...["published", "reproduced", "difference"].map(key => ({ key, label: key, fraction: false })),
      ...(block.made.columns.includes("spread") ? [{ key: "spread", label: "standard error" }] : []),
      { key: "ofControl", label: "control", hint: "the same of the control: what no ranking at all gives", control: true },
      { key: "judged", label: "verdict", number: false, text: verdict, class: row => CLASSES[verdict(row)] },
      ...(every.some(row => row.cause) ? [{ key: "cause", label: "cause", number: false, class: () => "long" }] : [])], rows, { caption: "Published and reproduced, cell by cell", file: block.file }),
  ];
}];

/* What a control has in the place of a cell, where the study's table says so. */
function controlOf(name) {
  const made = data.tables[name]?.made;
  if (!made?.columns.includes("control_delta")) return null;
  const keys = ["variant", "task", "dataset"].filter(key => made.columns.includes(key));
  const place = row => keys.map(key => row[key]).join("\u0000");
  const found = new Map(records(made).map(row => [place(row), row.control_delta]));
  return row => found.get(place(row)) ?? null;
}

const CLASSES = { "within two errors": "good", "same to 0.01": "good", "same sign": null, "other sign": "bad", "differs": "bad" };
/* What is said of a cell: the table's own verdict, or what the two numbers say. */
function verdict(row) {
  if (row.verdict) return row.verdict;
  if (!isNumber(row.published) || !isNumber(row.reproduced)) return isNumber(row.published) ? "not reproduced yet" : "not published";
  const gap = Math.abs(row.reproduced - row.published);
  if (isNumber(row.spread) && gap <= 2 * row.spread) return "within two errors";
  if (gap <= 0.01 * Math.max(1, Math.abs(row.published))) return "same to 0.01";
  if (row.quantity === "delta") return Math.sign(row.published) === Math.sign(row.reproduced) ? "same sign" : "other sign";
  return "differs";
}
const SEVERAL = { differs: "differ", "same sign": "of the same sign", "other sign": "of the other sign", "same to 0.01": "the same to 0.01" };
const counts = rows => Object.entries(rows.reduce((found, row) => ({ ...found, [verdict(row)]: (found[verdict(row)] ?? 0) + 1 }), {}))
  .sort((a, b) => b[1] - a[1]).map(([text, count]) => `${count} ${SEVERAL[text] ?? text}`).join(", ");
const spokenColumns = made => Object.fromEntries(made.columns.filter(key => TRANSLATED.has(key) || ["task", "mode", "measure", "quantity"].includes(key)).map(key => [key, { text: row => spoken(key, row[key]), number: false }]));

/* Rows whose values are more than ten times the quartiles' distance away from them: they would squash the others. */
function distant(rows) {
  const values = rows.flatMap(row => [row.published, row.reproduced]).sort((a, b) => a - b);
  if (values.length < 16) return new Set();
  const [low, high] = [values[Math.floor(values.length / 4)], values[Math.floor(values.length * 3 / 4)]];
  const isFar = value => value < low - 10 * (high - low) || value > high + 10 * (high - low);
  const far = rows.filter(row => isFar(row.published) || isFar(row.reproduced));
  return new Set(far.length <= rows.length / 10 ? far : []);
}

// --- tables ------------------------------------------------------------------------------------------------

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

// --- runs --------------------------------------------------------------------------------------------------

views.runs = ["Runs", () => {
  const runs = data.runs, took = records(runs.durations);
  const byMethod = unique(took.map(row => row.method)).map(name => ({ name, value: sum(took.filter(row => row.method === name).map(row => (row.ranking_seconds ?? 0))) }))
    .filter(item => item.value > 0).sort((a, b) => b.value - a.value);
  const known = took.filter(row => isNumber(row.actual_over_estimated)).map(row => ({
    x: (row.estimated_ranking ?? 0) + (row.estimated_scoring ?? 0), y: (row.ranking_seconds ?? 0) + (row.scoring_seconds ?? 0), row })).filter(item => item.x > 0 && item.y > 0);
  return [
    el("p", {}, runs.summary), runs.estimated ? el("p", {}, runs.estimated) : el("p", { class: "soft" }, "There is no estimate to compare with; ", el("code", {}, "make estimate"), " makes one."),
    el("h3", {}, "Failures"),
    runs.failures.rows.length ? plain(runs.failures, { caption: "Failures and notes", columns: spokenColumns(runs.failures) }) : el("p", {}, "Every fit succeeded."),
    runs.incomplete.rows.length ? [el("h3", {}, "Left out of ranks and tests"),
      el("p", { class: "soft" }, "A method counts on a dataset only if every planned fit of it there succeeded and was judged."), plain(runs.incomplete, { caption: "Methods with missing fits", columns: spokenColumns(runs.incomplete) })] : null,
    runs.labels.rows.length ? [el("h3", {}, "Fewer labels than asked for"), plain(runs.labels, { caption: "Fewer labels than asked for" })] : null,
    data.datasets.some(item => !item.available) ? [el("h3", {}, "Datasets that are not here"),
      el("p", { class: "soft" }, "If you have a file of one that cannot be downloaded, name it in config.yaml under data: files:."),
      table([{ key: "dataset", label: "dataset" }, { key: "task", label: "kind of target", text: row => shortTask(row.task) }, { key: "reason", label: "reason" }],
        data.datasets.filter(item => !item.available), { caption: "Datasets that are not here" })] : null,
    el("h3", {}, "Durations"),
    el("div", { class: "columns" },
      byMethod.length ? el("div", {}, el("p", { class: "soft" }, "Seconds inside the fits, over all datasets, L, modes and folds."),
        bars(byMethod.map(item => ({ label: methodLabel(item.name), value: item.value, look: "", text: seconds(item.value) })), { title: "Seconds inside the fits", label: "seconds", log: byMethod[0].value > 100 * byMethod[byMethod.length - 1].value })) : null,
      known.length ? el("div", {}, el("p", { class: "soft" }, "What the estimate said, and what it took, per dataset and method."),
        scatter(known.map(({ x, y, row }) => ({ x, y, look: row.method, lines: [`${methodLabel(row.method)} on ${row.dataset}`, `estimated ${seconds(x)}, took ${seconds(y)}`] })),
          { x: { label: "estimated seconds" }, y: { label: "actual seconds" }, title: "Estimated and actual seconds", equal: true, log: true })) : null),
    plain(runs.durations, { caption: "Seconds per dataset and method", columns: spokenColumns(runs.durations) }),
    el("h3", {}, "Provenance"),
    el("p", {}, runs.machine, " To make this page again:"), el("pre", { tabindex: "0" }, runs.command),
    el("p", {}, "One dataset, one method or one L again: delete its rankings, then type the command above. The options can be combined.",
      runs.archived ? " Results from the archive are run again by the command above without archive=…, and with datasets=NAME for one of them." : ""),
    el("pre", { tabindex: "0" }, runs.rerun),
    el("details", {}, el("summary", {}, "Versions"), el("pre", { tabindex: "0" }, runs.versions)),
    el("details", {}, el("summary", {}, "Configuration of this study, complete"), el("pre", { tabindex: "0" }, runs.config)),
    el("p", { class: "soft" }, "Everything on this page is in tidy CSV files beside it; ", el("a", { href: "manifest.json" }, "manifest.json"), " says what made them."),
  ];
}];

// --- frame -------------------------------------------------------------------------------------------------

const app = document.getElementById("app"), menu = document.querySelector(".bar > ul");
for (const [key, [title]] of Object.entries(views)) {
  menu.append(el("li", {}, el("a", { href: `#view=${key}`, id: `to-${key}` }, title)));
}

// Where there is little room the views come first.
if (matchMedia("(max-width: 40rem)").matches) document.querySelector(".about").open = false;

let drawn = null;
function draw() {
  const key = state.get("view"), [title, content] = views[key];
  const focused = document.activeElement?.id, position = window.scrollY;
  widthOf = app.clientWidth - parseFloat(getComputedStyle(app).paddingLeft) * 2;
  for (const link of menu.querySelectorAll("a")) {
    if (link.id === `to-${key}`) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  const heading = el("h2", { tabindex: "-1", id: "heading" }, title);
  app.replaceChildren(heading, el("section", { id: `view-${key}`, "aria-labelledby": "heading" }, content().flat(Infinity).filter(part => part !== null && part !== undefined)));
  document.title = `${title}: ${data.title}`;
  if (drawn === key) {
    window.scrollTo(0, position);
    document.getElementById(focused)?.focus({ preventScroll: true });
  } else {
    menu.querySelector("[aria-current]").scrollIntoView({ block: "nearest", inline: "nearest" });
    if (drawn !== null) { window.scrollTo(0, 0); heading.focus({ preventScroll: true }); }
  }
  drawn = key;
}
menu.addEventListener("click", event => {
  const link = event.target.closest("a");
  if (!link) return;
  event.preventDefault();
  writeState({ view: link.id.slice(3), table: null, ranking: null, verdict: null }, true);
});
window.addEventListener("popstate", () => { readState(); draw(); });
let resized = 0, known = document.documentElement.clientWidth;
window.addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(() => {
    if (known !== document.documentElement.clientWidth) { known = document.documentElement.clientWidth; draw(); }
  }, 150);
});
readState();
draw();
})();
