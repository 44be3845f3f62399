// Curves over the number of labels or features.

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
