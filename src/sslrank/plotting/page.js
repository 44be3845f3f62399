// Shows, sorts, searches and copies what a page has; without scripts all of it is there, one part below the other.
document.addEventListener("DOMContentLoaded", () => {
  const page = document.querySelector(".sslrank");
  page.classList.add("js");
  let link = new URLSearchParams(location.hash.slice(1));
  const opened = [];
  const make = (tag, content, settings = {}) => Object.assign(document.createElement(tag), { textContent: content }, settings);

  // One of several parts is shown; the link keeps which.
  for (const box of page.querySelectorAll(".choice")) {
    const { key, label } = box.dataset, parts = [...box.children];
    let mark = () => {};
    const show = (part, isChosen) => {
      for (const other of parts) other.hidden = other !== part;
      mark(part);
      if (isChosen) { link.set(key, part.dataset.value); history.replaceState(null, "", `#${link}`); }
    };
    const wanted = () => parts.find(part => part.dataset.value === link.get(key)) ?? parts[0];
    if (label) {
      const list = make("select", "", { ariaLabel: label }), groups = new Map();
      for (const [i, part] of parts.entries()) {
        const option = make("option", part.dataset.name, { value: i, }), group = part.dataset.group;
        if (group && !groups.has(group)) list.append(groups.set(group, make("optgroup", "", { label: group })).get(group));
        (groups.get(group) ?? list).append(option);
      }
      list.addEventListener("change", () => show(parts[list.value], true));
      mark = part => { list.value = parts.indexOf(part); };
      const head = make("label", `${label} `, { className: "chooser" });
      head.append(list);
      box.prepend(head);
    } else {
      const menu = make("nav", "", { ariaLabel: "Views" }), items = make("ul", "");
      mark = part => [...items.children].forEach((item, i) => item.firstChild.toggleAttribute("aria-current", parts[i] === part));
      parts.forEach(part => {
        const item = make("li", "");
        item.append(make("a", part.dataset.name, { href: `#${key}=${part.dataset.value}` }));
        item.addEventListener("click", event => { event.preventDefault(); show(part, true); });
        items.append(item);
      });
      menu.append(items);
      box.prepend(menu);
    }
    show(wanted());
    opened.push(() => show(wanted()));
  }
  window.addEventListener("hashchange", () => {
    link = new URLSearchParams(location.hash.slice(1));
    if ([...link.keys()].some(key => page.querySelector(`[data-key="${CSS.escape(key)}"]`))) opened.forEach(open => open());
  });

  // Numbers by value, texts by the alphabet; what is missing comes last in either direction.
  const value = cell => cell.dataset.key ?? cell.textContent.replace("\u2212", "-").trim();
  function order(column, direction) {
    return (a, b) => {
      const [x, y] = [a, b].map(row => row.dataset.keys ? row.dataset.keys.split("|")[column] : value(row.cells[column]));
      if (x === "" || y === "") return (x === "") - (y === "");
      const [m, n] = [parseFloat(x), parseFloat(y)];
      return direction * (isNaN(m) || isNaN(n) ? x.localeCompare(y, "en", { numeric: true }) : m - n);
    };
  }
  page.addEventListener("click", event => {
    const head = event.target.closest("button")?.closest("thead th");
    if (!head) return;
    const table = head.closest("table"), direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    table.tHead.querySelectorAll("[aria-sort]").forEach(other => other.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    if (table.tBodies.length > 1) table.append(...[...table.tBodies].sort(order(head.cellIndex, direction)));
    else table.tBodies[0].append(...[...table.tBodies[0].rows].sort(order(head.cellIndex, direction)));
  });

  // Search and copies of tables.
  for (const box of page.querySelectorAll("div.table")) {
    const table = box.querySelector("table"), name = table.caption.textContent;
    const tools = make("p", "", { className: "tools" }), rows = () => [table.tHead.rows[0], ...table.tBodies[0].rows].filter(row => !row.hidden);
    if (box.classList.contains("searched")) {
      const find = make("input", "", { type: "search", placeholder: "filter rows", ariaLabel: `filter rows of: ${name}` });
      find.addEventListener("input", () => {
        const words = find.value.toLowerCase().split(/\s+/);
        for (const row of table.tBodies[0].rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word));
      });
      tools.append(find);
    }
    const copy = make("button", "copy CSV", { type: "button" });
    copy.addEventListener("click", () => {
      const text = rows().map(row => [...row.cells].map(cell => `"${value(cell).replaceAll('"', '""')}"`).join(",")).join("\n") + "\n";
      navigator.clipboard?.writeText(text).then(() => { copy.textContent = "CSV copied"; });
    });
    tools.append(copy);
    box.prepend(tools);
  }

  // The table of features: rows that open, and a search that finds those that are not shown, too.
  const table = page.querySelector(".ranking");
  if (table) {
    const bodies = [...table.tBodies], rest = JSON.parse(document.getElementById("rest")?.textContent || "[]");
    const count = document.getElementById("count"), find = document.getElementById("find");
    const MOST = 100; // of the rows that only a search shows
    table.querySelectorAll(".open").forEach(open => open.setAttribute("aria-expanded", false));
    table.addEventListener("click", event => {
      const open = event.target.closest(".open");
      if (open) open.setAttribute("aria-expanded", document.getElementById(open.getAttribute("aria-controls")).classList.toggle("shown"));
    });
    find.addEventListener("input", () => {
      const words = find.value.trim().toLowerCase();
      table.querySelectorAll(".found").forEach(row => row.remove());
      for (const body of bodies) body.hidden = !body.dataset.name.includes(words);
      const others = words ? rest.filter(([, name]) => name.toLowerCase().includes(words)) : [];
      for (const cells of others.slice(0, MOST)) {
        const body = table.createTBody(), line = body.insertRow();
        body.className = "found";
        body.dataset.keys = cells.join("|");
        cells.forEach(cell => { line.insertCell().textContent = cell; });
      }
      const shown = bodies.filter(body => !body.hidden).length, listed = Math.min(others.length, MOST);
      count.textContent = words
        ? `${shown + others.length} of ${bodies.length + rest.length} features` + (listed < others.length ? `, ${shown + listed} shown` : "")
        : "";
    });
  }

  // Escape closes an explanation; a click on its word opens it on every system, as some give buttons no focus.
  document.addEventListener("keydown", event => {
    if (event.key === "Escape" && document.activeElement.closest(".term, th")) document.activeElement.blur();
  });
  page.addEventListener("click", event => event.target.closest(".term button")?.focus());
});
