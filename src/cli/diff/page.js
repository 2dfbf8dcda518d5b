"use strict";
const report = JSON.parse(document.getElementById("report").textContent);
/** So many items of a section, or rows of a table, are shown at once. */
const STEP = 100;

/** An element. What is text stays text: nothing of a report is ever read as HTML. */
const make = (tag, attributes = {}, ...inside) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== undefined) element.setAttribute(name, value);
  }
  element.append(...inside.filter((part) => part !== undefined));
  return element;
};
const count = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;

/** Nodes are told as runs: the first one and how many follow it, in the order of report.nodes. */
const size = (runs) => {
  let all = 0;
  for (let at = 1; at < runs.length; at += 2) all += runs[at];
  return all;
};
const names = (runs) => {
  const all = [];
  for (let at = 0; at < runs.length; at += 2)
    for (let node = runs[at]; node < runs[at] + runs[at + 1]; node++) all.push(report.nodes[node].name);
  return all;
};
const hasAny = (runs, wanted) => {
  for (let at = 0; at < runs.length; at += 2)
    for (let node = runs[at]; node < runs[at] + runs[at + 1]; node++) if (wanted.has(node)) return true;
  return false;
};

const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
const side = (parameter, name) => {
  if (!(name in parameter)) return undefined;
  if (parameter.secret) return "(a secret)";
  const value = parameter[name];
  const isDigest = value && typeof value === "object" && value.sha256 && Object.keys(value).every((key) =>
    ["sha256", "bytes", "diff"].includes(key));
  return isDigest ? `${count(value.bytes, "byte")}, SHA-256 ${value.sha256}` : shown(value);
};

/** The cells of two short texts, with what differs between them marked. */
const marked = (old, fresh) => {
  let begin = 0;
  const least = Math.min(old.length, fresh.length);
  while (begin < least && old[begin] === fresh[begin]) begin++;
  let end = 0;
  while (end < least - begin && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end++;
  const cell = (text, kind) => {
    const mark = text.slice(begin, text.length - end);
    const inside = begin + end === 0 || mark === "" ? [text] : [text.slice(0, begin), make("mark", {}, mark),
      text.slice(text.length - end)];
    return make("td", { class: kind }, ...inside);
  };
  return make("tr", {}, cell(old, "old"), cell(fresh, "new"));
};

/** A unified diff side by side. */
const sideBySide = (unified) => {
  const rows = [];
  let [old, fresh] = [[], []];
  const flush = () => {
    for (let at = 0; at < Math.max(old.length, fresh.length); at++) {
      if (at < old.length && at < fresh.length) rows.push(marked(old[at], fresh[at]));
      else rows.push(make("tr", {}, at < old.length ? make("td", { class: "old" }, old[at]) : make("td"),
        at < fresh.length ? make("td", { class: "new" }, fresh[at]) : make("td")));
    }
    [old, fresh] = [[], []];
  };
  let isBegun = false;
  for (const line of unified.replace(/\n$/, "").split("\n")) {
    const text = line.slice(1);
    if (line.startsWith("@@")) {
      flush();
      rows.push(make("tr", { class: "same" }, make("td", { class: "gap", colspan: 2 }, line)));
      isBegun = true;
    } else if (!isBegun) continue;
    else if (line.startsWith("-")) old.push(text);
    else if (line.startsWith("+")) fresh.push(text);
    else if (line.startsWith("\\")) (fresh.length ? fresh : old).push("(no line end)");
    else {
      flush();
      rows.push(make("tr", { class: "same" }, make("td", {}, text), make("td", {}, text)));
    }
  }
  flush();
  return make("table", { class: "values" }, make("tbody", {}, ...rows));
};

/** What differs of a hash or an array: keys and elements. */
const elementsView = (lines) => {
  const kind = (line) => (line.startsWith("- ") ? "old" : line.startsWith("+ ") ? "new" : undefined);
  const row = (line) => make("tr", {}, make("td", { class: kind(line), colspan: 2 }, line));
  return make("table", { class: "values" }, make("tbody", {}, ...lines.map(row)));
};

const parameterView = (parameter) => {
  const [old, fresh] = [side(parameter, "from"), side(parameter, "to")];
  const what = old === undefined ? "added" : fresh === undefined ? "removed" : parameter.secret ? "another secret" : undefined;
  const heading = make("h4", {}, parameter.name, what === undefined ? "" : make("small", {}, ` ${what}`));
  if (parameter.secret) return [heading];
  const unified = parameter.diff ?? parameter.to?.diff;
  if (typeof unified === "string") return [heading, sideBySide(unified)];
  if (parameter.lines) return [heading, elementsView(parameter.lines)];
  const cell = (text, kind) => (text === undefined ? make("td") : make("td", { class: kind }, text));
  const row = old === undefined || fresh === undefined ? make("tr", {}, cell(old, "old"), cell(fresh, "new")) : marked(old, fresh);
  return [heading, make("table", { class: "values" }, make("tbody", {}, row))];
};

const served = (content) => {
  if (content === null) return "(nothing)";
  if ("unreadable" in content) return `(cannot be read: ${content.unreadable})`;
  return "files" in content ? `a folder of ${count(content.files, "file")}` : `${count(content.bytes, "byte")}, SHA-256 ${content.sha256}`;
};
const contentView = (content) => [
  make("h4", {}, `content of ${content.source}`),
  typeof content.diff === "string" ? sideBySide(content.diff)
    : make("table", { class: "values" }, make("tbody", {}, marked(served(content.from), served(content.to)))),
];
const relationshipView = (one) =>
  make("div", { class: `relationship ${one.action === "added" ? "is-good" : "is-bad"}` },
    `${one.action === "added" ? "+" : "−"} ${one.source} ${one.verb} ${one.target}`);

/** Names that open on request. */
const nodesView = (runs) => {
  const number = size(runs);
  if (number === 0) return [];
  if (number === 1) return [make("div", { class: "is-faint" }, `on ${names(runs)[0]}`)];
  const place = make("div");
  const button = make("button", { class: "plain", type: "button", "aria-expanded": "false" }, `on ${count(number, "node")}`);
  button.addEventListener("click", () => {
    const isOpen = place.hasChildNodes();
    place.replaceChildren(...(isOpen ? [] : [make("ul", { class: "names" }, ...names(runs).map((name) => make("li", {}, name)))]));
    button.setAttribute("aria-expanded", String(!isOpen));
  });
  return [button, place];
};

/** A change in one line. */
const gist = (item) => {
  const way = item.ways[0];
  const short = (text) => (text === undefined ? "nothing" : text.length > 60 || text.includes("\n") ? "…" : text || "''");
  const parts = way.parameters.map((parameter) => (parameter.secret ? `${parameter.name}: another secret`
    : `${parameter.name}: ${short(side(parameter, "from"))} → ${short(side(parameter, "to"))}`));
  parts.push(...way.contents.map((content) => `content of ${content.source}`));
  parts.push(...way.relationships.map((one) => `${one.action === "added" ? "+" : "−"} ${one.verb} ${one.target}`));
  return parts.join("; ");
};

const body = (item) => {
  if (!item.ways) return [make("div", { class: "way" }, ...nodesView(item.nodes))];
  const others = item.others.length === 0 ? [] : [make("div", { class: "way" }, make("h4", {}, "with other values, which --format json has"),
    ...nodesView(item.others))];
  return item.ways.map((way, at) => make("div", { class: "way" },
    ...(at > 0 ? [make("h4", {}, "with other values")] : []),
    ...nodesView(way.nodes), ...way.parameters.flatMap(parameterView), ...way.contents.flatMap(contentView),
    ...(way.relationships.length ? [make("h4", {}, "relationships")] : []), ...way.relationships.map(relationshipView))).concat(others);
};
/** All nodes of an item, as several lists of runs. */
const runsOf = (item) => (item.ways ? [...item.ways.map((way) => way.nodes), item.others] : [item.nodes]);
const itemView = (item) => {
  const number = runsOf(item).reduce((all, runs) => all + size(runs), 0);
  const line = item.ways ? gist(item) : "";
  const details = make("details", {}, make("summary", {}, make("span", {}, item.title), make("b", {}, number ? count(number, "node") : ""),
    item.place ? make("code", {}, item.place) : "", line ? make("i", {}, line) : "", item.help ? make("em", {}, item.help) : ""));
  // What nobody opens is never made.
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(...body(item));
  });
  return details;
};

/** What a search looks at, made once. */
const haystack = (item) => (item.haystack ??= [item.title, item.place ?? "", item.help ?? "", item.ways ? JSON.stringify(item.ways) : ""]
  .join("\n").toLowerCase());
const main = document.querySelector("main");
const state = { words: "", node: "" };

const wantedNodes = () => {
  if (!state.node) return undefined;
  const wanted = new Set();
  report.nodes.forEach((node, at) => node.name.toLowerCase().includes(state.node) && wanted.add(at));
  return wanted;
};
const fits = (item, nodes) => (!state.words || haystack(item).includes(state.words))
  && (!nodes || runsOf(item).some((runs) => hasAny(runs, nodes)));

/** The first ones of a list, and a button for more. */
const fill = (place, items, view, anchor = place) => {
  let at = 0;
  const more = make("button", { type: "button" });
  const step = () => {
    const next = items.slice(at, at + STEP).map(view);
    at += next.length;
    place.append(...next);
    more.textContent = `Show ${Math.min(STEP, items.length - at).toLocaleString("en")} of ${(items.length - at).toLocaleString("en")} more`;
    more.hidden = at >= items.length;
  };
  more.addEventListener("click", step);
  step();
  anchor.after(more);
};

const sections = report.sections.map((section) => {
  const place = make("div");
  const number = make("small");
  const heading = make("h2", { tabindex: "0", role: "button", "aria-expanded": "true" }, section.title, " ", number);
  const element = make("section", { class: section.kind }, heading, place);
  const fold = (isFolded) => {
    element.classList.toggle("folded", isFolded);
    heading.setAttribute("aria-expanded", String(!isFolded));
  };
  heading.addEventListener("click", () => fold(!element.classList.contains("folded")));
  heading.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), heading.click()));
  main.append(element);
  const show = (nodes) => {
    const items = section.items.filter((item) => fits(item, nodes));
    number.textContent = items.length === section.items.length ? items.length.toLocaleString("en")
      : `${items.length.toLocaleString("en")} of ${section.items.length.toLocaleString("en")}`;
    const list = make("div");
    place.replaceChildren(list);
    fill(list, items, itemView);
    element.hidden = items.length === 0;
    return items.length;
  };
  return { fold, show };
});

const STATUS = { unchanged: ["unchanged", "is-faint"], changed: ["changed", "is-odd"], added: ["new", "is-good"],
  removed: ["gone", "is-bad"], newly_failing: ["fails newly", "is-bad"], failing: ["fails on both sides", "is-bad"],
  mended: ["no longer fails", "is-good"], unknown: ["unknown", "is-bad"] };
const ORDER = ["newly_failing", "unknown", "failing", "removed", "added", "mended", "changed", "unchanged"];
const table = make("tbody");
const order = report.nodes.map((_, at) => at).sort((one, other) =>
  ORDER.indexOf(report.nodes[one].status) - ORDER.indexOf(report.nodes[other].status) || one - other);
const nodeRow = (at) => {
  const node = report.nodes[at];
  const [word, kind] = STATUS[node.status];
  const moved = node.environment ? ` (${node.environment.from} → ${node.environment.to})` : "";
  const only = make("button", { class: "plain", type: "button", title: "Show what changes on this node", onclick: () => {
    nodeField.value = node.name;
    search();
    scrollTo({ top: 0 });
  } }, node.name);
  return make("tr", {}, make("td", {}, only), make("td", { class: `status ${kind}` }, word + moved),
    make("td", {}, node.changes ? node.changes.toLocaleString("en") : ""));
};
const nodeTable = make("table", { id: "nodes" }, make("thead", {}, make("tr", {}, make("th", {}, "Node"), make("th", {}, "State"),
  make("th", {}, "Changes"))), table);
const nodeNumber = make("small");
const nodeSection = make("section", { class: "nodes" }, make("h2", { onclick: () => nodeSection.classList.toggle("folded") }, "Nodes ", nodeNumber),
  make("div", {}, nodeTable));
main.append(nodeSection);

const wordField = document.querySelector("#words");
const nodeField = document.querySelector("#node");
const found = document.querySelector("#found");
const search = () => {
  [state.words, state.node] = [wordField.value.trim().toLowerCase(), nodeField.value.trim().toLowerCase()];
  const nodes = wantedNodes();
  const number = sections.reduce((all, section) => all + section.show(nodes), 0);
  const some = nodes ? order.filter((at) => nodes.has(at)) : order;
  nodeTable.nextElementSibling?.remove();
  table.replaceChildren();
  fill(table, some, nodeRow, nodeTable);
  nodeNumber.textContent = some.length.toLocaleString("en");
  found.textContent = state.words || state.node ? `${count(number, "item")} found` : "";
};
wordField.addEventListener("input", search);
nodeField.addEventListener("input", search);
document.querySelector("#fold").addEventListener("click", (event) => {
  const isFolded = event.target.dataset.folded !== "true";
  event.target.dataset.folded = String(isFolded);
  event.target.textContent = isFolded ? "Unfold all" : "Fold all";
  sections.forEach((section) => section.fold(isFolded));
  nodeSection.classList.toggle("folded", isFolded);
});
search();
