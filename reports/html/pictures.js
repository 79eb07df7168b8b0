/*
 * What the record of a finding shows: the tasks it is about with the storage
 * they meet on, and the order that goes wrong step by step.
 */
const FEW = 5; /* tasks of a range that are listed one by one */
const MOST_TASKS = 12; /* of a graph */

const NAME = 80, KEY = 200; /* letters of a name, of a storage */

const taskName = (id, known) => {
  const name = known.get(id);
  return "task " + id + (name ? " " + shortened(name, NAME) : "");
};

/* Names that the message has and the record has not: of who reads. */
function addNames(names, message) {
  if (typeof message === "string")
    for (const [, id, name] of message.matchAll(/\btask (\d+) "([^"]*)"/g))
      if (!names.has(Number(id)))
        names.set(Number(id), name);
}

/* Names and edges of a task graph or a Score, where the input is one. */
function readGraph(text) {
  const graph = { names: new Map(), edges: [] };
  const whole = typeof text === "string" ? parse(text) : null;
  const documents = [whole, ...list(isObject(whole) ? whole.members : null)
    .map((m) => (isObject(m) ? m.document : null))].filter(isObject);
  for (const d of documents) {
    for (const t of list(d.tasks))
      if (isObject(t) && isId(t.id ?? t.task_id) && typeof t.name === "string")
        graph.names.set(t.id ?? t.task_id, t.name);
    for (const e of [...list(d.edges), ...list(d.dependencies)])
      if (isObject(e))
        graph.edges.push([e.from ?? e.producer, e.to ?? e.consumer]);
    for (const t of list(d.tasks))
      for (const dep of list(isObject(t) ? t.deps : null))
        if (isObject(dep))
          graph.edges.push([dep.task, t.id]);
  }
  graph.edges = graph.edges.filter(([a, b]) => isId(a) && isId(b));
  return graph;
}

/* The record with its parts where they are expected, whatever it is. */
function readFinding(record, d) {
  const graph = readGraph(d.bytes > d.kept ? null : d.text);
  const ends = [record.producer, record.consumer].filter((end) =>
    isObject(end) && isId(end.task));
  for (const end of ends)
    if (typeof end.name === "string")
      graph.names.set(end.task, end.name);
  addNames(graph.names, record.message);
  const w = isObject(record.witness) ? record.witness : {};
  const intruder = isObject(w.intruder) && isId(w.intruder.task)
    ? w.intruder : null;
  return { ends, w, intruder, names: graph.names, edges: graph.edges,
    storage: isObject(record.storage)
      ? shortened(record.storage.key, KEY) : null };
}

/* --- The order that goes wrong --- */

/* What the parts of an order are, or null. */
function partsOf(order) {
  if (!Array.isArray(order))
    return null;
  const parts = order.map((part) => {
    if (isId(part))
      return { first: part, last: part };
    if (Array.isArray(part) && part.length === 2 && part.every(isId))
      return { first: part[0], last: part[1] };
    if (isObject(part) && isId(part.until))
      return { until: part.until };
    return part === "rest" ? { rest: true } : null;
  });
  return parts.includes(null) ? null : parts;
}

/* A range is split at the tasks that are told of. */
function stepsOf(parts, marked) {
  const steps = [];
  const range = (first, last) => {
    if (last - first < FEW)
      for (let id = first; id <= last; id++)
        steps.push({ id });
    else
      steps.push({ text: "tasks " + first + " to " + last });
  };
  for (const part of parts) {
    if (part.until !== undefined) {
      steps.push({ text: "all that task " + part.until + " waits for" });
      steps.push({ id: part.until });
    } else if (part.rest)
      steps.push({ text: "all other tasks, in program order" });
    else {
      let from = part.first;
      const inside = marked.filter((x) => x >= part.first && x <= part.last);
      for (const id of inside) {
        if (id > from)
          range(from, id - 1);
        steps.push({ id });
        from = id + 1;
      }
      if (from <= part.last)
        range(from, part.last);
    }
  }
  return shorten(steps, marked);
}

/* Long stretches without a task that is told of become one step. */
function shorten(steps, marked) {
  const short = [];
  let stretch = [];
  const flush = () => {
    if (stretch.length > FEW)
      short.push({ text: stretch.length + " more steps" });
    else
      short.push(...stretch);
    stretch = [];
  };
  for (const step of steps) {
    if (step.id === undefined || !marked.includes(step.id)) {
      stretch.push(step);
      continue;
    }
    flush();
    short.push(step);
  }
  flush();
  return short;
}

/* Program order: the tasks that are told of, and how many lie between. */
function programSteps(marked) {
  const steps = [];
  marked.forEach((id, i) => {
    const gap = i === 0 ? 0 : id - marked[i - 1] - 1;
    if (gap === 1)
      steps.push({ id: id - 1 });
    else if (gap > 1)
      steps.push({ text: plural(gap, "task", "tasks") + " between" });
    steps.push({ id });
  });
  return steps;
}

const whoReads = (reader) =>
  reader === "host" ? "the orchestration" : "the caller";

function valueOf(writer) {
  if (isId(writer))
    return "what task " + writer + " writes";
  return writer === "host" ? "what the orchestration wrote"
    : "what was there before";
}

/* What each task does with the bytes, in the one order and in the other. */
function rolesOf(f, steps) {
  const { w } = f, roles = new Map();
  const at = (id) => steps.findIndex((s) => s.id === id);
  const tell = (id, right, wrong, bad) => {
    if (isId(id) && !roles.has(id))
      roles.set(id, { right, wrong, bad });
  };
  const has = "reader" in w;
  if (has) {
    tell(w.reader, "reads " + valueOf(w.expected_writer),
      "reads " + (f.intruder !== null ? "the bytes of " + shortened(f.intruder.buffer, KEY)
        : valueOf(w.seen_writer)) + ", not " + valueOf(w.expected_writer),
      true);
    if (f.intruder !== null)
      tell(f.intruder.task, "writes " + shortened(f.intruder.buffer, KEY),
        "writes " + shortened(f.intruder.buffer, KEY) + " on the same addresses", true);
    tell(w.seen_writer, "writes the bytes", "writes the bytes", true);
    const late = isId(w.reader) && isId(w.expected_writer) &&
      at(w.expected_writer) > at(w.reader) && at(w.reader) >= 0;
    tell(w.expected_writer, "writes the bytes",
      late ? "writes the bytes, too late" : "writes the bytes", late);
  }
  for (const end of f.ends)
    tell(end.task, null, has ? null : "touches the same bytes", !has);
  return roles;
}

function laneOf(title, steps, roles, f, wrong) {
  const items = steps.map((step) => {
    if (step.id === undefined)
      return element("li", { class: "range" }, step.text);
    const role = roles.get(step.id);
    const bad = wrong && role !== undefined && role.bad;
    const text = role === undefined ? null : wrong ? role.wrong : role.right;
    return element("li", { class: bad ? "wrong" : role ? "meets" : null },
      role ? element("b", {}, taskName(step.id, f.names))
        : taskName(step.id, f.names),
      text ? element("span", { class: "role" }, text) : null);
  });
  const { w } = f;
  if ("reader" in w && !isId(w.reader))
    items.push(element("li", { class: wrong ? "wrong" : "meets" },
      element("b", {}, whoReads(w.reader)),
      element("span", { class: "role" }, wrong
        ? "reads " + (f.intruder !== null
          ? "the bytes of " + shortened(f.intruder.buffer, KEY) : valueOf(w.seen_writer)) +
          ", not " + valueOf(w.expected_writer)
        : "reads " + valueOf(w.expected_writer))));
  return element("div", { class: "lane" }, element("h4", {}, title),
    element("ol", { class: "steps" }, items));
}

/* Under which values of what is not known. */
function execution(w) {
  const parts = [];
  for (const [name, value] of Object.entries(
    isObject(w.symbols) ? w.symbols : {}))
    parts.push(name + " = " + JSON.stringify(value));
  for (const c of list(w.choices))
    if (isObject(c))
      parts.push("choice " + JSON.stringify(c.choice) + " is " +
        JSON.stringify(c.is));
  const skipped = list(w.skipped).length;
  if (skipped > 0)
    parts.push(plural(skipped, "access", "accesses") +
      " that need not happen left out");
  return parts.length === 0 ? null
    : element("p", { class: "quiet small" }, "With " + parts.join(", ") + ".");
}

function isAscending(parts) {
  return parts.every((p, i) => p.first !== undefined &&
    (i === 0 || parts[i - 1].last < p.first));
}

function timeline(f) {
  const parts = partsOf(f.w.order);
  if (parts === null)
    return null;
  const pair = list(f.w.pair).flatMap((x) => (Array.isArray(x) ? [x[0]] : []));
  const marked = [...new Set([f.w.reader, f.w.expected_writer,
    f.w.seen_writer, f.intruder === null ? null : f.intruder.task, ...pair,
    ...f.ends.map((end) => end.task)])].filter(isId).sort((a, b) => a - b);
  const steps = stepsOf(parts, marked);
  const roles = rolesOf(f, steps);
  if (isAscending(parts))
    return card("Program order goes wrong", element("div", { class: "lanes" },
      laneOf("Program order", steps, roles, f, true)), execution(f.w));
  return card("The order that goes wrong",
    element("p", {}, "No edge forbids it."),
    element("div", { class: "lanes" },
      laneOf("Program order", programSteps(marked), roles, f, false),
      laneOf("A legal order", steps, roles, f, true)), execution(f.w));
}

/* --- Times of a trace --- */

function intervals(f, width) {
  const rows = list(f.w.intervals).filter((x) => Array.isArray(x) &&
    x.length === 3 && x.every(Number.isFinite) && x[2] >= x[1]);
  if (rows.length === 0)
    return null;
  const from = Math.min(...rows.map((r) => r[1]));
  const to = Math.max(...rows.map((r) => r[2]), from + 1);
  const x = (t) => ((t - from) / (to - from)) * (width - 2) + 1;
  const svg = frame(width, rows.length * 48, "Times of the tasks, in cycles");
  rows.forEach(([id, begin, end], i) => {
    svg.append(shape("text", { x: 1, y: i * 48 + 15 }, taskName(id, f.names) +
      ", " + begin + " to " + end),
    shape("rect", { class: "time", x: x(begin), y: i * 48 + 22,
      width: Math.max(x(end) - x(begin), 2), height: 16, rx: 3 }));
  });
  return svg;
}

/* --- The graph --- */

const BOX = 50, GAP = 34, LETTER = 7.4, STORE = 46;
const BESIDE = 44; /* where there is no room: storages below the tasks */

function frame(width, height, label) {
  return shape("svg", { class: "graph", width, height, role: "img",
    viewBox: "0 0 " + width + " " + height, "aria-label": label });
}

function cutText(text, width) {
  const letters = Math.max(Math.floor(width / LETTER), 4);
  const all = Array.from(visible(text));
  return all.length <= letters ? all.join("")
    : all.slice(0, letters - 1).join("") + "\u2026";
}

/* Ids in program order; a long path without its middle. */
function tasksOf(f) {
  const { w } = f;
  const path = [w.path, w.cycle].filter((x) => Array.isArray(x))
    .flatMap((x) => (x.length > MOST_TASKS - 2
      ? [...x.slice(0, 5), ...x.slice(-5)] : x));
  const ids = [...f.ends.map((e) => e.task), w.reader, w.expected_writer,
    w.seen_writer, f.intruder === null ? null : f.intruder.task,
    ...list(w.edge), ...list(w.lost), ...list(w.repeated), ...path,
    ...list(w.intervals).map((x) => (Array.isArray(x) ? x[0] : null))];
  return [...new Set(ids.filter(isId))].sort((a, b) => a - b)
    .slice(0, MOST_TASKS);
}

function pairsOf(value, close) {
  const ids = list(value);
  const pairs = ids.slice(1).map((id, i) => [ids[i], id]);
  if (close && ids.length > 0)
    pairs.push([ids[ids.length - 1], ids[0]]);
  return pairs.filter(([a, b]) => isId(a) && isId(b));
}

/* Edges that are there, and the pair that has none. */
function linesOf(f) {
  const { w, ends } = f;
  const lines = [];
  const add = (pairs, kind, text) => pairs.forEach(([from, to]) => {
    if (!lines.some((l) => l.from === from && l.to === to))
      lines.push({ from, to, kind, text });
  });
  const parts = partsOf(w.order);
  const unordered = parts !== null ? !isAscending(parts)
    : Array.isArray(w.intervals) && !Array.isArray(w.path);
  if (Array.isArray(w.lost))
    add(pairsOf(w.lost), "lost", "lost");
  else if (unordered && ends.length === 2 && ends[0].task !== ends[1].task)
    add([ends.map((e) => e.task).sort((a, b) => a - b)], "lost", "no order");
  else if (unordered && isId(w.seen_writer) && isId(w.expected_writer))
    add([[w.seen_writer, w.expected_writer].sort((a, b) => a - b)], "lost",
      "no order");
  add(pairsOf(w.path), "edge");
  add(pairsOf(w.cycle, true), "edge");
  add(pairsOf(w.edge), "edge");
  add(pairsOf(w.repeated), "edge", w.times > 1 ? w.times + " times" : null);
  add(f.edges, "edge");
  return lines;
}

const READS = ["input", "inout", "predicate"];
const WRITES = ["output", "output_existing", "inout"];

/* Who touches which storage, and how. */
function accessesOf(f) {
  const { w } = f, found = new Map();
  const add = (task, key, reads, writes, arg) => {
    if (!isId(task) || key === null || !(reads || writes))
      return;
    const name = task + " " + key;
    const known = found.get(name) || { task, key, reads: false, writes: false };
    known.reads = known.reads || reads;
    known.writes = known.writes || writes;
    known.arg = known.arg ?? arg;
    found.set(name, known);
  };
  if (f.intruder !== null)
    add(f.intruder.task, shortened(f.intruder.buffer, KEY), false, true);
  for (const end of f.ends)
    if (f.intruder === null || f.intruder.task !== end.task)
      add(end.task, f.storage, READS.includes(end.direction),
        WRITES.includes(end.direction), isId(end.arg) ? end.arg : undefined);
  if (f.storage !== null) {
    add(w.reader, f.storage, true, false);
    add(w.expected_writer, f.storage, false, true);
    add(w.seen_writer, f.storage, false, true);
  }
  return [...found.values()];
}

function arrow(x, y, angle) {
  return shape("path", { class: "arrow", d: "M0 0L-8 4.5L-8 -4.5Z",
    transform: "translate(" + x + " " + y + ") rotate(" + angle + ")" });
}

function drawTask(svg, f, id, place, accesses, wrong) {
  const end = f.ends.find((e) => e.task === id) || {};
  const mine = accesses.filter((a) => a.task === id);
  const does = mine.map((a) => (a.reads && a.writes ? "reads and writes"
    : a.reads ? "reads" : "writes") +
    (a.arg !== undefined ? " (argument " + a.arg + ")" : ""));
  const sub = [...does, end.line > 0 ? "line " + end.line : null, end.core]
    .filter((x) => x).join(", ");
  const { x, y, width } = place, room = width - 20;
  svg.append(shape("g", {},
    shape("title", {}, taskName(id, f.names) + (sub ? ": " + sub : "")),
    shape("rect", { class: wrong ? "box wrong" : "box", x, y, width,
      height: BOX, rx: 8 }),
    shape("text", { x: x + 10, y: y + (sub ? 21 : 30) },
      cutText(taskName(id, f.names), room)),
    sub ? shape("text", { class: "dim", x: x + 10, y: y + 39 },
      cutText(sub, room * 1.08)) : null));
}

function drawLine(svg, line, from, to, near, depth) {
  const lost = line.kind === "lost";
  const down = from.y < to.y;
  const x = from.x + 28, left = from.x;
  const a = near ? from.y + (down ? BOX : 0) : from.y + BOX / 2;
  const b = near ? to.y + (down ? 0 : BOX) : to.y + BOX / 2;
  const bend = left - 14 - 12 * depth;
  svg.append(shape("path", { class: lost ? "lost" : "edge", d: near
    ? "M" + x + " " + a + "L" + x + " " + b
    : "M" + left + " " + a + "C" + bend + " " + a + " " + bend + " " + b +
      " " + left + " " + b }));
  if (!lost)
    svg.append(near ? arrow(x, b, down ? 90 : -90) : arrow(left, b, 0));
  if (line.text)
    svg.append(shape("text", { class: (lost ? "lost-text" : "dim") + " halo",
      x: near ? x + 12 : left + 8,
      y: (near ? (a + b) / 2 : from.y + BOX + GAP / 2) + 4 }, line.text));
}

function drawAccess(svg, access, place, store, i, count) {
  const below = store.x === place.x;
  const x1 = place.x + place.width, y1 = place.y + BOX / 2;
  const x2 = below ? x1 : store.x;
  const y2 = store.y +
    (store.height * (below ? count - i : i + 1)) / (count + 1);
  const mid = below ? x1 + BESIDE * (1 - i / count) : (x1 + x2) / 2;
  svg.append(shape("path", { class: "edge", d: "M" + x1 + " " + y1 + "C" +
    mid + " " + y1 + " " + mid + " " + y2 + " " + x2 + " " + y2 }));
  if (access.writes)
    svg.append(arrow(x2, y2, below ? 180 : 0));
  if (access.reads)
    svg.append(arrow(x1, y1, 180));
}

/* Two storages on the same addresses. */
function drawShared(svg, x, from, to) {
  svg.append(shape("path", { class: "lost", d: "M" + x + " " + from + "L" + x +
    " " + to }),
  shape("text", { class: "lost-text halo", x: x + 12, y: (from + to) / 2 + 4 },
    "same addresses"));
}

function drawStores(svg, f, accesses, places, area) {
  const first = (key) => Math.min(...accesses.filter((a) => a.key === key)
    .map((a) => places.get(a.task).y));
  const keys = [...new Set(accesses.map((a) => a.key))]
    .sort((a, b) => first(a) - first(b));
  const height = STORE, shown = keys.slice(0, 2);
  const last = area.y + area.height - height;
  if (shown.length === 2)
    drawShared(svg, area.x + 28, area.y + height, last);
  shown.forEach((key, k) => {
    const mine = accesses.filter((a) => a.key === key);
    const y = shown.length === 1
      ? mine.reduce((s, a) => s + places.get(a.task).y, 0) / mine.length
      : k === 0 ? area.y : last;
    const store = { x: area.x, height,
      y: Math.min(Math.max(y, area.y), last) };
    mine.forEach((a, i) =>
      drawAccess(svg, a, places.get(a.task), store, i, mine.length));
    const range = key === f.storage && isId(f.begin) && f.end > f.begin
      ? "bytes " + f.begin + " to " + (f.end - 1) : "storage";
    svg.append(shape("g", {}, shape("title", {}, key + ", " + range),
      shape("rect", { class: "store", x: store.x, y: store.y,
        width: area.width, height, rx: 20 }),
      shape("text", { x: store.x + 14, y: store.y + 19 },
        cutText(key, area.width - 24)),
      shape("text", { class: "dim", x: store.x + 14, y: store.y + 36 },
        cutText(range, (area.width - 24) * 1.08))));
  });
}

function graph(f, width) {
  const ids = tasksOf(f);
  if (ids.length === 0)
    return null;
  const lines = linesOf(f).filter((l) =>
    ids.includes(l.from) && ids.includes(l.to) && l.from !== l.to);
  const accesses = accessesOf(f).filter((a) => ids.includes(a.task));
  const near = (l) => Math.abs(ids.indexOf(l.from) - ids.indexOf(l.to)) === 1;
  const far = lines.filter((l) => !near(l));
  const left = far.length > 0 ? Math.min(16 + 12 * far.length, 64) : 2;
  const wide = width >= 520, stores = new Set(accesses.map((a) => a.key)).size;
  const beside = stores === 0 ? 0 : wide ? 340 : BESIDE;
  const box = Math.min(width - left - 4 - beside, wide ? 320 : width);
  const tall = ids.length * (BOX + GAP) - GAP;
  const area = { x: left + box + 120, y: 1, width: 220,
    height: Math.max(tall, stores > 1 ? 2 * BOX + GAP : BOX) };
  if (!wide && stores > 0)
    Object.assign(area, { x: left, y: tall + GAP, width: box,
      height: stores > 1 ? 2 * STORE + GAP : STORE });
  const svg = frame(left + box + beside + 4, area.y + area.height + 3,
    "The tasks of the finding and what they touch");
  const places = new Map(ids.map((id, i) => [id,
    { x: left, y: 1 + i * (BOX + GAP), width: box }]));
  const lost = lines.find((l) => l.kind === "lost");
  if (stores > 0)
    drawStores(svg, f, accesses, places, area);
  lines.forEach((l) => drawLine(svg, l, places.get(l.from), places.get(l.to),
    near(l), Math.min(far.indexOf(l), 3) + 1));
  ids.forEach((id) => drawTask(svg, f, id, places.get(id), accesses,
    lost !== undefined && (lost.from === id || lost.to === id)));
  return svg;
}

/* Drawn for the width there is, so that texts keep their size. */
function drawn(title, draw) {
  const box = element("div", { class: "drawing" });
  const made = card(title, box);
  let last = 0;
  const redraw = () => {
    const width = Math.floor(box.clientWidth);
    if (width <= 0 || width === last)
      return;
    last = width;
    box.replaceChildren(draw(Math.min(width, 760)));
  };
  /* Drawn behind the notice: it changes what is observed. */
  new ResizeObserver(() => requestAnimationFrame(redraw)).observe(box);
  return made;
}

function pictures(record, d) {
  const f = readFinding(record, d);
  if (isObject(record.storage)) {
    f.begin = record.storage.begin;
    f.end = record.storage.end;
  }
  const made = [];
  if (tasksOf(f).length > 0)
    made.push(drawn("Tasks", (width) => graph(f, width)));
  if (intervals(f, 300) !== null)
    made.push(drawn("When they ran", (width) => intervals(f, width)));
  const order = timeline(f);
  if (order !== null)
    made.push(order);
  return made;
}
