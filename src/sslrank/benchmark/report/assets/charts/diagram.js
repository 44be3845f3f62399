// Critical-distance diagrams.

/* Critical-distance diagram: average ranks on an axis, a bar joins what does not differ significantly. */
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
