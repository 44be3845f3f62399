// Data, formats of values, state in the link, and the controls that change it.

const data = JSON.parse(document.getElementById("data").textContent);
const packed = Uint8Array.from(atob(document.getElementById("packed").textContent), letter => letter.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
Object.assign(data, await new Response(unpacked).json());
/* What is looked up by name, without what every object has: a method may be called "constructor". */
for (const found of [data.names, data.methodNames, data.tasks, data.shortTasks, data.measures, data.judges, data.quantities])
  Object.setPrototypeOf(found, null);

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

/* A path of a file as a link has it. */
const encoded = path => path.split("/").map(encodeURIComponent).join("/");

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

const views = {};
let state = new URLSearchParams();

function readState() {
  state = new URLSearchParams(location.hash.slice(1));
  if (!Object.hasOwn(views, state.get("view"))) {
    // One dataset alone has no tests: its curves say more than a leaderboard of one row of scores.
    const single = data.datasets.filter(item => item.available).length === 1;
    const leads = single && !data.entered ? "datasets" : Object.values(data.answers).some(Boolean) ? "overview" : "published";
    const guess = state.has("dataset") ? "datasets" : state.has("method") ? "methods" : leads;
    state.set("view", guess in views ? guess : Object.keys(views)[0]);
  }
}
/* Changes of the link, after which nothing is drawn. */
function remember(changes, push = false) {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === undefined) state.delete(key); else state.set(key, value);
  }
  const link = "#" + state.toString();
  if (push) history.pushState(null, "", link); else history.replaceState(null, "", link);
}
function writeState(changes, push = false) {
  remember(changes, push);
  draw();
}
/* The value of a key if it is one of the options, or the first of them. */
function chosen(key, options, fallback = options[0]) {
  const value = state.get(key);
  return options.find(option => String(option) === value) ?? (options.includes(fallback) ? fallback : options[0]);
}

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
      el("summary", { id: `${key}-more` }, "Rankings that another member of their family represents"), el("fieldset", { class: "legend" }, el("legend", { class: "hidden" }, "More rankings"), others.map(box))) : null,
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
