// Where everything stands: what comes first above what follows, each container a box around what it holds.
// Knows the graph as arrays, and nothing of the page.
const GAP = 14, BETWEEN_ROWS = 34, HEAD = 26, PADDING = 12;

// vertices: [{container, width, height}], edges: [[earlier, later]], isOpen: whether a container shows what it holds,
// aspect: how wide the whole may be for its height.
// Gives {width, height, places: Map of vertex to {x, y, width, height, isBox}, ends: Map of vertex to what shows it}.
function layOut(vertices, edges, isOpen, aspect) {
  const contents = vertices.map(() => []), outermost = [];
  vertices.forEach((vertex, number) => (vertex.container == null ? outermost : contents[vertex.container]).push(number));
  const paths = vertices.map((_, number) => pathOf(vertices, number));
  const shownBy = paths.map((path) => path.find((number) => !isOpen(number)) ?? path[path.length - 1]);
  // Each relationship belongs to the container that holds both ends, between the parts that hold one each.
  const between = new Map();
  for (const [earlier, later] of edges) {
    const one = visiblePath(paths[earlier], shownBy[earlier]), other = visiblePath(paths[later], shownBy[later]);
    let depth = 0;
    while (depth < one.length && depth < other.length && one[depth] === other[depth]) depth++;
    if (depth >= one.length || depth >= other.length) continue;
    const container = depth ? one[depth - 1] : -1;
    if (!between.has(container)) between.set(container, []);
    between.get(container).push([one[depth], other[depth]]);
  }
  const sizes = new Map(), offsets = new Map();
  const measure = (number) => {
    if (!isOpen(number) || !contents[number].length) {
      sizes.set(number, { width: vertices[number].width, height: vertices[number].height, isBox: false });
      return;
    }
    contents[number].forEach(measure);
    const inner = arrange(contents[number], between.get(number) ?? [], sizes, offsets, 1.5);
    const width = Math.max(inner.width, vertices[number].width) + 2 * PADDING;
    sizes.set(number, { width, height: inner.height + HEAD + PADDING, isBox: true });
  };
  outermost.forEach(measure);
  const whole = arrange(outermost, between.get(-1) ?? [], sizes, offsets, aspect);
  const places = new Map();
  const put = (number, x, y) => {
    const { x: dx, y: dy } = offsets.get(number), size = sizes.get(number);
    places.set(number, { x: x + dx, y: y + dy, ...size });
    if (size.isBox) contents[number].forEach((inside) => put(inside, x + dx + PADDING, y + dy + HEAD));
  };
  outermost.forEach((number) => put(number, 0, 0));
  return { width: whole.width, height: whole.height, places, shownBy };
}

// From the outside in; a loop of containers is cut.
function pathOf(vertices, number) {
  const path = [];
  for (let at = number; at != null && !path.includes(at); at = vertices[at].container) path.push(at);
  return path.reverse();
}

const visiblePath = (path, shown) => path.slice(0, path.indexOf(shown) + 1);

// Rows of what is related, then the rest as a grid.
function arrange(items, pairs, sizes, offsets, aspect) {
  const related = new Set(pairs.flat());
  const rows = rowsOf(items.filter((item) => related.has(item)), pairs);
  const area = items.reduce((sum, item) => {
    const { width, height } = sizes.get(item);
    return sum + (width + GAP) * (height + BETWEEN_ROWS);
  }, 0);
  const widest = Math.max(...items.map((item) => sizes.get(item).width));
  const room = Math.max(widest, Math.sqrt(area * aspect));
  const lines = rows.flatMap((row) => broken(row, sizes, room).map((line, at, all) => [line, at + 1 < all.length ? GAP : BETWEEN_ROWS]));
  const loose = items.filter((item) => !related.has(item));
  // Alike sizes side by side leave the least room unused.
  loose.sort((one, other) => sizes.get(other).height - sizes.get(one).height || one - other);
  lines.push(...broken(loose, sizes, room).map((line) => [line, GAP]));
  const lengths = lines.map(([line]) => line.reduce((sum, item) => sum + sizes.get(item).width + GAP, -GAP));
  const width = Math.max(...lengths);
  let y = 0;
  lines.forEach(([line, gap], at) => {
    const isLoose = !related.has(line[0]);
    let x = isLoose ? 0 : (width - lengths[at]) / 2;
    for (const item of line) {
      offsets.set(item, { x, y });
      x += sizes.get(item).width + GAP;
    }
    y += Math.max(...line.map((item) => sizes.get(item).height)) + (at + 1 < lines.length ? gap : 0);
  });
  return { width, height: y };
}

// A row in as many lines as it needs.
function broken(row, sizes, room) {
  const lines = [];
  let length = Infinity;
  for (const item of row) {
    const width = sizes.get(item).width;
    if (length + width > room) {
      lines.push([]);
      length = 0;
    }
    lines[lines.length - 1].push(item);
    length += width + GAP;
  }
  return lines;
}

// Each item one row below the last that comes before it. What closes a cycle does not count.
function rowsOf(items, pairs) {
  const after = new Map(items.map((item) => [item, new Set()]));
  for (const [earlier, later] of pairs) if (earlier !== later) after.get(earlier).add(later);
  const state = new Map(), order = [];
  for (const first of items) {
    const stack = state.has(first) ? [] : [[first, null]];
    while (stack.length) {
      const top = stack[stack.length - 1];
      if (!top[1]) {
        state.set(top[0], "open");
        top[1] = [...after.get(top[0])];
      }
      const next = top[1].pop();
      if (next === undefined) {
        state.set(top[0], "done");
        order.push(top[0]);
        stack.pop();
      } else if (state.get(next) === "open") after.get(top[0]).delete(next);
      else if (!state.has(next)) stack.push([next, null]);
    }
  }
  order.reverse();
  const row = new Map(items.map((item) => [item, 0])), before = new Map(items.map((item) => [item, []]));
  for (const item of order) {
    for (const later of after.get(item)) {
      row.set(later, Math.max(row.get(later), row.get(item) + 1));
      before.get(later).push(item);
    }
  }
  const rows = [];
  for (const item of items) (rows[row.get(item)] ??= []).push(item);
  // Each near what it is related to: fewer lines cross.
  const neighbours = (item, isDown) => (isDown ? before.get(item) : [...after.get(item)]);
  for (let sweep = 0; sweep < 6; sweep++) {
    const position = new Map();
    rows.forEach((line) => line.forEach((item, at) => position.set(item, (at + 0.5) / line.length)));
    const isDown = sweep % 2 === 0;
    for (const line of isDown ? rows : [...rows].reverse()) {
      const wish = new Map(line.map((item) => {
        const near = neighbours(item, isDown);
        const sum = near.reduce((sum, other) => sum + position.get(other), 0);
        return [item, near.length ? sum / near.length : position.get(item)];
      }));
      line.sort((one, other) => wish.get(one) - wish.get(other));
      line.forEach((item, at) => position.set(item, (at + 0.5) / line.length));
    }
  }
  return rows;
}
