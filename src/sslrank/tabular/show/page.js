// Sorts and searches the table of features, and opens its rows. Without scripts all of it is there, unsorted and open.
document.addEventListener("DOMContentLoaded", () => {
  const page = document.querySelector(".sslrank"), table = page.querySelector(".ranking");
  page.classList.add("js");
  const rows = [...table.tBodies];
  const rest = JSON.parse(document.getElementById("rest")?.textContent || "[]");
  const count = document.getElementById("count"), find = document.getElementById("find");
  const MOST = 100; // of the rows that only a search shows

  table.addEventListener("click", event => {
    const open = event.target.closest(".open");
    if (!open) return;
    const detail = document.getElementById(open.getAttribute("aria-controls"));
    open.setAttribute("aria-expanded", detail.classList.toggle("shown"));
  });
  table.querySelectorAll(".open").forEach(open => open.setAttribute("aria-expanded", false));

  // Numbers by value, texts by the alphabet; what is missing comes last in either direction.
  function order(column, direction) {
    const value = row => row.dataset.keys.split("|")[column];
    return (a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === "" || y === "") return (x === "") - (y === "");
      return direction * (isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y);
    };
  }
  table.tHead.addEventListener("click", event => {
    const head = event.target.closest("th");
    if (!event.target.closest("button") || !head) return;
    const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    table.tHead.querySelectorAll("[aria-sort]").forEach(other => other.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    table.append(...[...table.tBodies].sort(order(head.cellIndex, direction)));
  });

  find.addEventListener("input", () => {
    const words = find.value.trim().toLowerCase();
    table.querySelectorAll(".found").forEach(row => row.remove());
    let shown = 0;
    for (const row of rows) {
      row.hidden = !row.dataset.name.includes(words);
      shown += !row.hidden;
    }
    const others = words ? rest.filter(([, name]) => name.toLowerCase().includes(words)) : [];
    for (const cells of others.slice(0, MOST)) {
      const row = table.createTBody();
      row.className = "found";
      row.dataset.keys = cells.join("|");
      const line = row.insertRow();
      for (const cell of cells) line.insertCell().textContent = cell;
      [...line.cells].forEach((cell, i) => cell.classList.toggle("more", table.tHead.rows[0].cells[i].classList.contains("more")));
    }
    const listed = Math.min(others.length, MOST);
    count.textContent = words
      ? `${shown + others.length} of ${rows.length + rest.length} features` + (listed < others.length ? `, ${shown + listed} shown` : "")
      : "";
  });

  // Escape closes an explanation; a click on its word opens it on every system, as some give buttons no focus.
  document.addEventListener("keydown", event => {
    if (event.key === "Escape" && document.activeElement.closest(".term, th")) document.activeElement.blur();
  });
  page.addEventListener("click", event => event.target.closest(".term button")?.focus());
});
