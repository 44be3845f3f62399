// Axes, ticks and tooltips that all charts share.

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
