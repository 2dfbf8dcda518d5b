// The page: what is open, chosen and searched; draws what layout.js has placed.
const graph = JSON.parse(document.querySelector("#graph").textContent);
const byId = (id) => document.getElementById(id);
const svg = byId("drawing"), view = byId("view"), panel = byId("panel"), search = byId("search");
const { vertices, edges } = graph;
const contents = vertices.map(() => []);
vertices.forEach((vertex, number) => vertex.container != null && contents[vertex.container].push(number));
const isContainer = (number) => contents[number].length > 0;
const byName = new Map(vertices.map((vertex, number) => [vertex.name, number]));

// ---- what is open ----
// The one stage that nearly every catalog has is no box: all lies in it.
const stages = vertices.flatMap((vertex, number) => (vertex.kind === "stage" && isContainer(number) ? [number] : []));
const unboxed = stages.length === 1 && vertices[stages[0]].container == null ? stages[0] : -1;
const containerOf = (number) => (vertices[number].container === unboxed ? null : vertices[number].container);
const open = new Set();
const openAround = (number) => {
  for (let at = containerOf(number); at != null && !open.has(at); at = containerOf(at)) open.add(at);
};
const FEW = 60;
vertices.forEach((vertex, number) => {
  if (vertices.length <= FEW && isContainer(number)) open.add(number);
  if (vertex.in_cycle && !isContainer(number)) openAround(number);
  if (vertex.kind === "missing") openAround(number);
});
const holdsCycle = vertices.map(() => false);
vertices.forEach((vertex, number) => {
  if (!vertex.in_cycle) return;
  for (let at = containerOf(number); at != null && !holdsCycle[at]; at = containerOf(at)) holdsCycle[at] = true;
});

// ---- texts and their sizes ----
const pen = document.createElement("canvas").getContext("2d");
const FONT = getComputedStyle(document.body).fontFamily;
const LETTERS = 38;
const short = (text) => (text.length <= LETTERS ? text : text.slice(0, 12) + "…" + text.slice(13 - LETTERS));
const widthOf = (text, font) => { pen.font = `${font} ${FONT}`; return pen.measureText(text).width; };
const labels = vertices.map((vertex, number) => {
  const count = isContainer(number) ? ` · ${contents[number].length}` : "";
  const below = (vertex.kind === "class" ? "class" : vertex.kind === "missing" ? `${vertex.type}, missing` : vertex.type) + count;
  const title = short(vertex.title);
  return { title, below, width: Math.max(widthOf(title, "600 12px"), widthOf(below, "10px")) + 22 };
});

// ---- drawing ----
const make = (name, attributes, parent) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
};
const write = (parent, x, y, text, kind) => { make("text", { x, y, class: kind }, parent).textContent = text; };
const marker = make("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, markerUnits: "userSpaceOnUse", orient: "auto" }, make("defs", {}, svg));
make("path", { d: "M0 0L8 4L0 8z" }, marker);
let placed, chosen = null, elements = new Map(), drawnEdges = [];

const isShownEdge = (edge) => byId("automatic").checked || edge.in_cycle || edge.kinds.some((kind) => kind !== "automatic");

function draw() {
  const items = vertices.map((vertex, number) => ({ container: containerOf(number), width: labels[number].width, height: 38 }));
  const shown = edges.filter(isShownEdge);
  const aspect = Math.min(2.2, Math.max(0.45, svg.clientWidth / Math.max(1, svg.clientHeight)));
  // The stage that is no box is not drawn, nor are its relationships.
  const wanted = shown.filter((edge) => edge.earlier !== unboxed && edge.later !== unboxed);
  if (unboxed >= 0) items[unboxed] = { container: null, width: 0, height: 0 };
  placed = layOut(items, wanted.map((edge) => [edge.earlier, edge.later]), (number) => open.has(number), aspect);
  placed.places.delete(unboxed);
  view.replaceChildren();
  elements = new Map();
  for (const [number, place] of placed.places) if (place.isBox) drawBox(number, place);
  drawEdges(wanted);
  for (const [number, place] of placed.places) if (!place.isBox) drawItem(number, place);
  mark();
}

function drawElement(number, { x, y, width, height }, kind) {
  const vertex = vertices[number];
  const group = make("g", { class: kind, tabindex: 0, role: "button", transform: `translate(${x} ${y})` }, view);
  group.setAttribute("aria-label", vertex.name);
  if (isContainer(number)) group.setAttribute("aria-expanded", open.has(number));
  group.classList.toggle("cycle", vertex.in_cycle);
  group.classList.toggle("holds-cycle", !vertex.in_cycle && holdsCycle[number]);
  group.classList.toggle("missing", vertex.kind === "missing");
  make("rect", { width, height, rx: 6 }, group);
  make("title", {}, group).textContent = vertex.name;
  group.dataset.name = vertex.name;
  const act = () => (isContainer(number) ? toggle(number) : choose(number));
  group.addEventListener("click", (event) => { event.stopPropagation(); if (!wasDragged) act(); });
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
    elements.get(number)?.focus();
  });
  elements.set(number, group);
  return group;
}

function drawBox(number, place) {
  const group = drawElement(number, place, "box");
  write(group, 10, 17, `▾ ${labels[number].title}`, "");
}

function drawItem(number, place) {
  const group = drawElement(number, place, isContainer(number) ? "item folded" : "item");
  write(group, 10, 16, (isContainer(number) ? "▸ " : "") + labels[number].title, "");
  write(group, 10, 30, labels[number].below, "type");
}

// All relationships between two that are shown are one line.
function drawEdges(wanted) {
  const lines = new Map();
  for (const edge of wanted) {
    const [from, to] = [placed.shownBy[edge.earlier], placed.shownBy[edge.later]];
    if (from === to) continue;
    const key = `${from} ${to}`;
    if (!lines.has(key)) lines.set(key, { from, to, edges: [] });
    lines.get(key).edges.push(edge);
  }
  drawnEdges = [...lines.values()].map((line) => {
    const kinds = new Set(line.edges.flatMap((edge) => edge.kinds));
    const path = make("path", { class: "edge", "marker-end": "url(#arrow)", d: curve(placed.places.get(line.from), placed.places.get(line.to)) }, view);
    path.classList.toggle("refresh", kinds.has("notify") || kinds.has("subscribe"));
    path.classList.toggle("automatic", [...kinds].every((kind) => kind === "automatic"));
    path.classList.toggle("contains", [...kinds].every((kind) => kind === "contains"));
    path.classList.toggle("lost", line.edges.some((edge) => [edge.earlier, edge.later].some((end) => vertices[end].kind === "missing")));
    path.classList.toggle("cycle", line.edges.some((edge) => edge.in_cycle));
    return { ...line, path };
  });
}

function curve(from, to) {
  const middle = (place) => place.x + place.width / 2;
  if (from.y + from.height <= to.y) {
    const [x1, y1, x2, y2] = [middle(from), from.y + from.height, middle(to), to.y];
    const bend = Math.min(60, (y2 - y1) / 2);
    return `M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}`;
  }
  // Upwards, or beside: around the right or the left of both.
  const isRight = middle(from) <= middle(to) + 1;
  const [x1, x2] = isRight ? [from.x + from.width, to.x + to.width] : [from.x, to.x];
  const isBeside = isRight ? from.x + from.width < to.x : to.x + to.width < from.x;
  const [y1, y2] = [from.y + Math.min(19, from.height / 2), to.y + Math.min(19, to.height / 2)];
  if (isBeside) {
    const end = isRight ? to.x : to.x + to.width;
    const bend = ((end - x1) / 2) || 1;
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${end - bend} ${y2} ${end} ${y2}`;
  }
  const out = (isRight ? Math.max(x1, x2) : Math.min(x1, x2)) + (isRight ? 30 : -30);
  return `M${x1} ${y1}C${out} ${y1} ${out} ${y2} ${x2} ${y2}`;
}

// ---- looking at it ----
const camera = { x: 0, y: 0, scale: 1 };
const look = () => view.setAttribute("transform", `translate(${camera.x} ${camera.y}) scale(${camera.scale})`);
function fit(least) {
  const [width, height] = [svg.clientWidth, svg.clientHeight], margin = 14;
  const whole = Math.min((width - 2 * margin) / placed.width, (height - 2 * margin) / placed.height, 1.2);
  camera.scale = Math.max(least, whole);
  camera.x = Math.max(margin, (width - placed.width * camera.scale) / 2);
  camera.y = Math.max(margin, (height - placed.height * camera.scale) / 2);
  if (whole < least) camera.x = Math.min(margin, (width - placed.width * camera.scale) / 2);
  look();
}
function zoom(factor, x, y) {
  const scale = Math.min(4, Math.max(0.03, camera.scale * factor));
  camera.x = x - ((x - camera.x) * scale) / camera.scale;
  camera.y = y - ((y - camera.y) * scale) / camera.scale;
  camera.scale = scale;
  look();
}
function center(number) {
  const place = placed.places.get(placed.shownBy[number]);
  if (!place) return;
  camera.scale = Math.max(camera.scale, 0.8);
  camera.x = svg.clientWidth / 2 - (place.x + place.width / 2) * camera.scale;
  camera.y = svg.clientHeight / 2 - (place.y + Math.min(place.height, 200) / 2) * camera.scale;
  look();
}
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const frame = svg.getBoundingClientRect();
  zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)), event.clientX - frame.left, event.clientY - frame.top);
}, { passive: false });
const fingers = new Map();
let wasDragged = false, travelled = 0;
svg.addEventListener("pointerdown", (event) => {
  fingers.set(event.pointerId, event);
  if (fingers.size === 1) [wasDragged, travelled] = [false, 0];
});
addEventListener("pointermove", (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const others = [...fingers.values()].filter((finger) => finger.pointerId !== event.pointerId);
  if (others.length) {
    const distance = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY) || 1;
    const frame = svg.getBoundingClientRect();
    const middle = [(event.clientX + others[0].clientX) / 2 - frame.left, (event.clientY + others[0].clientY) / 2 - frame.top];
    zoom(distance(event) / distance(before), ...middle);
    wasDragged = true;
  } else {
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    travelled += Math.hypot(dx, dy);
    wasDragged ||= travelled > 5;
    camera.x += dx;
    camera.y += dy;
    look();
  }
  svg.classList.toggle("dragged", wasDragged);
  fingers.set(event.pointerId, event);
});
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, (event) => { fingers.delete(event.pointerId); svg.classList.remove("dragged"); });
}

// ---- folding and choosing ----
function toggle(number) {
  const before = placed.places.get(number);
  if (!open.delete(number)) open.add(number);
  chosen = number;
  draw();
  // What was clicked stays where it was.
  const after = placed.places.get(number);
  if (before && after) {
    camera.x += (before.x - after.x) * camera.scale;
    camera.y += (before.y - after.y) * camera.scale;
    look();
  }
  tell();
}
function choose(number) {
  chosen = number;
  if (number != null) history.replaceState(null, "", "#" + encodeURIComponent(vertices[number].name));
  mark();
  tell();
}
function goTo(number) {
  const before = open.size;
  openAround(number);
  if (open.size !== before) draw();
  choose(number);
  center(number);
}
function matches() {
  const wanted = search.value.trim().toLowerCase();
  if (!wanted) return [];
  const found = vertices.flatMap((vertex, number) => (number !== unboxed && vertex.name.toLowerCase().includes(wanted) ? [number] : []));
  const rank = (number) => vertices[number].name.toLowerCase().indexOf(wanted);
  return found.sort((one, other) => (rank(one) > 0) - (rank(other) > 0) || one - other);
}
function mark() {
  const found = new Set(matches().map((number) => placed.shownBy[number]));
  const shown = chosen == null ? null : placed.shownBy[chosen];
  for (const [number, element] of elements) {
    element.classList.toggle("match", found.has(number));
    element.classList.toggle("selected", number === shown);
  }
  const isNear = (line) => shown != null && line.edges.some((edge) => [edge.earlier, edge.later].some((end) => isInside(end, chosen) || isAround(end, chosen)));
  let hasAny = false;
  for (const line of drawnEdges) {
    line.path.classList.toggle("near", isNear(line));
    hasAny ||= isNear(line);
  }
  svg.classList.toggle("chosen", hasAny);
}
const isInside = (number, container) => pathOf(vertices, number).includes(container);
const isAround = (number, inside) => number !== unboxed && isInside(inside, number);

const isContainment = (edge) => edge.kinds.every((kind) => kind === "contains");

// ---- the panel ----
const element = (name, text, parent, kind) => {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (kind) made.className = kind;
  parent?.append(made);
  return made;
};
function link(number, parent, note) {
  const item = element("li", "", parent);
  const anchor = element("a", vertices[number].name, item, vertices[number].kind === "missing" ? "to bad" : "to");
  anchor.href = "#" + encodeURIComponent(vertices[number].name);
  anchor.addEventListener("click", (event) => { event.preventDefault(); goTo(number); });
  if (note) element("small", note, item);
}
function list(heading, items, parent) {
  if (!items.length) return;
  element("h3", heading, parent);
  const made = element("ul", "", parent);
  items.forEach(([number, note]) => link(number, made, note));
}
const MOST = 80;
function tell() {
  panel.replaceChildren();
  if (search.value.trim()) tellMatches();
  else if (chosen != null) tellVertex();
  else tellGraph();
}
function tellMatches() {
  const found = matches();
  element("h2", found.length ? `${found.length} found` : "Nothing found", panel);
  const made = element("ul", "", panel);
  made.id = "matches";
  found.slice(0, MOST).forEach((number) => link(number, made));
  if (found.length > MOST) element("p", `and ${found.length - MOST} more`, panel);
}
function tellVertex() {
  const vertex = vertices[chosen];
  element("h2", vertex.name, panel).id = "chosen";
  if (vertex.kind === "missing") element("p", "The catalog does not have it.", panel, "bad");
  if (vertex.file != null) element("code", `${vertex.file || "code"}:${vertex.line}`, panel);
  const back = element("p", "", panel);
  const close = element("button", "Close", back);
  close.addEventListener("click", () => { chosen = null; history.replaceState(null, "", location.pathname); mark(); tell(); });
  if (isContainer(chosen)) {
    const button = element("button", open.has(chosen) ? "Fold" : "Open", back);
    button.addEventListener("click", () => toggle(chosen));
  }
  // What its container is related to, it is related to.
  const others = (own, end) => edges.flatMap((edge) => {
    if (!isAround(edge[own], chosen) || isInside(edge[end], edge[own]) || isContainment(edge)) return [];
    const through = edge[own] === chosen ? "" : `, by ${vertices[edge[own]].name}`;
    return [[edge[end], edge.kinds.join(", ") + through + (edge.in_cycle ? ", in a cycle" : "")]];
  });
  list("Comes after", others("later", "earlier"), panel);
  list("Comes before", others("earlier", "later"), panel);
  const contained = (own, end) => edges.flatMap((edge) => (edge[own] === chosen && isContainment(edge) ? [edge[end]] : []));
  const around = pathOf(vertices, chosen).slice(0, -1).concat(contained("later", "earlier"));
  list("Is in", around.map((number) => [number]), panel);
  list("Contains", contents[chosen].concat(contained("earlier", "later")).map((number) => [number]), panel);
}
function tellGraph() {
  graph.cycles.forEach((cycle, number) => {
    element("h3", graph.cycles.length > 1 ? `Dependency cycle ${number + 1}` : "Dependency cycle", panel, "bad");
    const steps = element("ul", "", panel);
    for (const step of cycle) {
      if (byName.has(step.resource)) link(byName.get(step.resource), steps);
      else element("li", step.resource, steps);
      element("p", step.reason, steps).style.color = "var(--faint)";
    }
  });
  if (graph.missing.length) {
    element("h3", "Missing", panel, "bad");
    for (const { message, file, line } of graph.missing) {
      element("p", message, panel);
      if (file != null) element("code", `${file || "code"}:${line}`, panel);
    }
    list("", vertices.flatMap((vertex, number) => (vertex.kind === "missing" ? [[number]] : [])), panel);
  }
  if (graph.unknown_types.length) {
    element("h3", "Automatic relationships are not known of", panel);
    element("p", graph.unknown_types.join(", "), panel);
  }
  element("h3", "Lines", panel);
  const legend = element("div", "", panel);
  legend.id = "legend";
  const KEYS = [["", "require, before"], ["refresh", "notify, subscribe"], ["automatic", "by the agent itself"], ["cycle", "in a cycle"], ["lost", "to what is missing"]];
  for (const [kind, text] of KEYS) {
    const sample = make("svg", { viewBox: "0 0 42 12" }, legend);
    make("path", { class: `edge ${kind}`, d: "M1 6H40", "marker-end": "url(#arrow)" }, sample);
    element("span", text, legend);
  }
}

// ---- what a person does ----
search.addEventListener("input", () => { mark(); tell(); });
search.addEventListener("keydown", (event) => {
  const found = matches();
  if (event.key === "Escape") search.value = "";
  else if (event.key === "Enter" && found.length) { search.value = ""; goTo(found[0]); }
  else return;
  mark();
  tell();
});
addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target === search) return;
  event.preventDefault();
  search.focus();
});
svg.addEventListener("click", () => { if (!wasDragged && chosen != null) { chosen = null; mark(); tell(); } });
byId("open").addEventListener("click", () => { vertices.forEach((_, number) => isContainer(number) && open.add(number)); draw(); fit(0); });
byId("fold").addEventListener("click", () => { open.clear(); draw(); fit(0.6); });
byId("fit").addEventListener("click", () => fit(0));
byId("automatic").addEventListener("change", () => { draw(); fit(0); });
const follow = () => {
  const number = byName.get(decodeURIComponent(location.hash.slice(1)));
  if (number != null) goTo(number);
};
addEventListener("hashchange", follow);
open.delete(unboxed);
draw();
fit(0.6);
tell();
follow();
