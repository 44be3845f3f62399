// Figures: the pictures that no other view draws.

if (data.pictures.length) views.figures = ["Figures", () => data.pictures.map(([title, pictures]) => [
  el("h3", {}, title),
  el("div", { class: "pictures" }, pictures.map(([path, label]) =>
    el("figure", {}, el("img", { src: path, alt: label, loading: "lazy" }), el("figcaption", {}, label)))),
])];
