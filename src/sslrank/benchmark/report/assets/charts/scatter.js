// Points with names.

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
