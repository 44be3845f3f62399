// Horizontal bars with a spread.

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
