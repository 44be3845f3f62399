// The menu, and drawing a view again when the link changes.

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
