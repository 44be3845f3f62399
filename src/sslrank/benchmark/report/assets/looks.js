// Colour and mark of each ranking: the same ones in all views.

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
