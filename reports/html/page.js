/*
 * The table with its filter, the page of a finding, and the keys. Without a
 * script the summary and the table stay readable.
 */
const STEP = 200; /* rows that are shown before "more" */
const LONG = 300; /* letters of what an input calls itself */
const root = document.documentElement;
root.classList.add("js");

/* The data is read when it is first needed. */
let known = null;
function data() {
  if (known === null) {
    known = parse(byId("data").textContent);
    known = isObject(known) ? known : { buckets: {}, rules: {} };
  }
  return known;
}
const detailOf = (id) =>
  Object.hasOwn(data().buckets, id) ? data().buckets[id] : null;

/* --- The table --- */

const view = { rows: [], order: [], on: [], shown: STEP, sort: null, down: false };
const GRAVITY = { error: 0, warning: 1, note: 2 };
const STATES = ["new", "reappeared", "open", "flaky", "known", "fixed"];
const EXPIRED = "expired"; /* is known, and its day is past: a state besides */

function readRows() {
  const body = byId("rows");
  if (body === null)
    return;
  view.rows = Array.from(body.rows, (row, place) => {
    const cell = (i) => row.cells[i].textContent.trim();
    const number = (i) => Number(cell(i)) || 0;
    return {
      row, place, id: row.id.slice("bucket-".length),
      link: row.querySelector("a"),
      severity: cell(0),
      state: row.cells[1].querySelector(".pill").textContent,
      expired: row.cells[1].querySelector(".expired") !== null,
      rule: row.querySelector(".rule").textContent,
      here: number(3), all: number(4), first: number(5), last: number(6),
      text: null,
    };
  });
}

function textOf(r) {
  if (r.text === null) {
    const d = detailOf(r.id);
    const more = d === null ? "" : [d.record, d.path, d.name, d.note,
      d.labels, d.signature, d.owner, d.why].join(" ");
    r.text = (r.row.textContent + " " + more).toLowerCase();
  }
  return r.text;
}

const SORTS = {
  severity: (r) => GRAVITY[r.severity] ?? 3,
  state: (r) => STATES.indexOf(r.state),
  rule: (r) => r.rule,
  here: (r) => r.here,
  all: (r) => r.all,
  first: (r) => r.first,
  last: (r) => r.last,
};

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

function apply() {
  const words = byId("search").value.toLowerCase().split(/\s+/)
    .filter((w) => w !== "");
  const wanted = {};
  for (const name of ["severity", "state", "rule"])
    wanted[name] = byId("by-" + name).value;
  view.order = view.rows.filter((r) =>
    Object.entries(wanted).every(([k, v]) => v === "" || r[k] === v ||
      (v === EXPIRED && r.expired)) &&
    words.every((w) => textOf(r).includes(w)));
  if (view.sort !== null) {
    const key = SORTS[view.sort], sign = view.down ? -1 : 1;
    view.order.sort((a, b) =>
      sign * compare(key(a), key(b)) || a.place - b.place);
  }
  show();
}

function show() {
  const part = view.order.slice(0, view.shown), stays = new Set(part);
  for (const r of view.on)
    if (!stays.has(r))
      r.row.classList.remove("on");
  part.forEach((r) => r.row.classList.add("on"));
  view.on = part;
  const body = byId("rows");
  if (view.sort !== null || view.moved)
    body.append(...part.map((r) => r.row));
  view.moved = view.sort !== null;
  const n = view.order.length;
  byId("count").textContent = n === view.rows.length
    ? plural(n, "cause", "causes")
    : n + " of " + plural(view.rows.length, "cause", "causes");
  byId("none").hidden = n > 0;
  byId("table").hidden = n === 0;
  byId("more").hidden = n <= view.shown;
  byId("more").textContent =
    "Show " + Math.min(STEP, n - view.shown) + " more of " +
    (n - view.shown);
  byId("cut").textContent = n <= view.shown ? ""
    : "Printed are the first " + view.shown + " of these " + n +
      ": show more of them on the screen before you print, or fewer.";
  byId("clear").hidden = !isFiltered();
}

function isFiltered() {
  return byId("search").value !== "" ||
    ["severity", "state", "rule"].some((k) => byId("by-" + k).value !== "");
}

function refilter() {
  view.shown = STEP;
  apply();
}

function clear() {
  byId("search").value = "";
  for (const name of ["severity", "state", "rule"])
    byId("by-" + name).value = "";
  refilter();
}

function sortBy(head) {
  const name = head.dataset.sort;
  const number = ["here", "all", "first", "last"].includes(name);
  view.down = view.sort === name ? !view.down : number;
  view.sort = name;
  for (const other of byId("table").tHead.querySelectorAll("th"))
    other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", view.down ? "descending" : "ascending");
  apply();
}

function offer(select, words, name) {
  const counts = new Map();
  for (const r of view.rows)
    counts.set(r[name], (counts.get(r[name]) || 0) + 1);
  if (name === "state")
    counts.set(EXPIRED, view.rows.filter((r) => r.expired).length);
  const present = words === null ? [...counts.keys()].sort()
    : words.filter((w) => counts.get(w) > 0);
  for (const word of present)
    select.append(element("option", { value: word },
      word + " (" + counts.get(word) + ")"));
}

function prepareTable() {
  readRows();
  if (view.rows.length === 0)
    return;
  offer(byId("by-severity"), Object.keys(GRAVITY), "severity");
  offer(byId("by-state"), [...STATES, EXPIRED], "state");
  offer(byId("by-rule"), null, "rule");
  byId("search").addEventListener("input", refilter);
  for (const name of ["severity", "state", "rule"])
    byId("by-" + name).addEventListener("change", refilter);
  byId("clear").addEventListener("click", () => {
    clear();
    byId("search").focus();
  });
  byId("more").addEventListener("click", () => {
    const next = view.order[view.shown];
    view.shown += STEP;
    show();
    next.link.focus();
  });
  for (const head of byId("table").tHead.querySelectorAll("th[data-sort]")) {
    const button = element("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.addEventListener("click", () => sortBy(head));
  }
  apply();
}

/* --- A finding --- */

function card(title, ...children) {
  return element("section", { class: "card" }, element("h3", {}, title),
    ...children);
}

function copyBox(text, what, box) {
  const button = element("button", { type: "button" }, "Copy");
  button.addEventListener("click", async () => {
    button.textContent = (await copy(text)) ? "Copied" : "Not allowed";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  button.setAttribute("aria-label", "Copy " + what);
  button.setAttribute("aria-live", "polite");
  return element("div", { class: "copy" }, box, button);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOld(text);
  }
}

/* For pages that are opened as files, where there may be no clipboard. */
function copyOld(text) {
  const before = document.activeElement;
  const area = element("textarea", { readonly: "", "aria-hidden": "true" });
  area.value = text;
  byId("main").append(area);
  area.select();
  let done = false;
  try {
    done = document.execCommand("copy");
  } finally {
    area.remove();
    if (before !== null)
      before.focus();
  }
  return done;
}

function facts(pairs) {
  return element("dl", { class: "facts" }, pairs
    .filter(([, value]) => value !== null && value !== undefined &&
      value !== "")
    .map(([name, value]) => [element("dt", {}, name), element("dd", {},
      typeof value === "string" ? shortened(value, LONG) : value)]));
}

const placeOf = (path, line) =>
  shortened(path, LONG) + (line > 0 ? ":" + line : "");

function whereOf(d) {
  if (!d.path)
    return null;
  return element("span", { class: "mono" },
    placeOf(d.path, d.line));
}

function about(r, d, record) {
  const storage = isObject(record.storage) ? record.storage : null;
  const bytes = storage !== null && isId(storage.begin) && isId(storage.end)
    && storage.end > storage.begin
    ? ", bytes " + storage.begin + " to " + (storage.end - 1) : "";
  const runs = d.first === d.last ? "run " + d.first
    : "runs " + d.first + " to " + d.last;
  return card("About", facts([
    ["Input", whereOf(d)],
    ["Rule", element("code", {}, r.rule)],
    ["Cause", d.cause],
    ["Storage", storage === null ? null : [
      element("span", { class: "mono" }, shortened(storage.key ?? "?", KEY)),
      bytes]],
    ["Found", plural(r.here, "finding", "findings") + " in this run, " +
      r.all + " in all (" + runs + ")"],
    ["Gone", d.gone > 0 ? "run " + d.gone + " does not have it" : null],
    ["Known issue", d.until === undefined ? null
      : (r.expired ? "EXPIRED: was known until " : "until ") + d.until + ", " +
        d.owner + ": " + d.why],
    ["Signature", element("code", {}, shortened(d.signature, LONG))],
    ["Labels", d.labels],
    ["Note", d.note],
  ]));
}

function history(d) {
  const rows = list(d.history);
  if (rows.length === 0)
    return null;
  return card("History", element("div", { class: "scroll" },
    element("table", { class: "narrow" },
      element("thead", {}, element("tr", {},
        element("th", { scope: "col", class: "num" }, "Run"),
        element("th", { scope: "col", class: "num" }, "Findings"),
        element("th", { scope: "col" }, "First in"))),
      element("tbody", {}, rows.map(([run, n, path, line]) =>
        element("tr", {}, element("td", { class: "num" }, run),
          element("td", { class: "num" }, n),
          element("td", { class: "mono" },
            placeOf(path, line))))))),
    d.runs > rows.length ? element("p", { class: "quiet small" },
      "The last " + rows.length + " of " + d.runs + " runs.") : null);
}

/* What stands in the input where the finding is. */
function sourceLines(d) {
  const lines = list(d.lines);
  if (lines.length === 0)
    return null;
  return card(lines.length === 1 ? "The line" : "The lines",
    element("p", { class: "mono quiet small" }, shortened(d.path, LONG)),
    element("ol", { class: "lines" }, lines.map(([number, text, cut]) =>
      element("li", { value: number }, element("code", {},
        text.trimStart() + (cut ? "\u2026" : ""))))));
}

function inputBox(d) {
  if (typeof d.text !== "string")
    return card("Smallest input", element("p", { class: "quiet" },
      d.bytes > 0 ? shortened(d.name, LONG) + ", " + plural(d.bytes, "byte", "bytes") +
        ": left out of this page; the database has it."
        : "The database has no text of it."));
  const cut = d.bytes > d.kept;
  const pre = element("pre", { class: "input", tabindex: "0",
    "aria-label": "Text of the input" }, d.text);
  return card("Smallest input",
    element("p", {}, element("span", { class: "mono" }, shortened(d.name, LONG)),
      ", " +
      plural(d.bytes, "byte", "bytes") +
      (cut ? " (the first " + d.kept + " are here)" : "") +
      (d.exact === false ? "; it is no UTF-8, so the copy is not exact"
        : "")),
    element("details", { class: "plain" },
      element("summary", {}, "Show the text"),
      copyBox(d.text, "the input", pre)));
}

function proof(record) {
  return element("details", { class: "plain" },
    element("summary", {}, "The record as JSON"),
    copyBox(JSON.stringify(record), "the record",
      element("pre", { class: "input wrap", tabindex: "0",
        "aria-label": "The record of the finding" },
        JSON.stringify(record, null, 1))));
}

function ruleCard(rule) {
  const rules = data().rules;
  const text = isObject(rules) && Object.hasOwn(rules, rule)
    ? rules[rule] : null;
  if (typeof text !== "string")
    return null;
  return card("What " + rule + " means", pageOf(text));
}

function build(r) {
  const d = detailOf(r.id);
  const pills = element("div", { class: "pills" },
    element("span", { class: "pill " + r.severity }, r.severity),
    element("span", { class: "pill " + r.state }, r.state),
    r.expired ? element("span", { class: "pill expired" }, EXPIRED) : null,
    element("code", {}, r.rule));
  const record = d === null ? null : parse(d.record);
  const message = isObject(record) && typeof record.message === "string"
    ? record.message : r.link.textContent;
  const title = element("h2", { class: "title", id: "finding-title",
    tabindex: "-1" }, shortened(message, 4 * LONG));
  const parts = [bar(r), pills, title];
  if (d === null) {
    parts.push(element("p", {}, "This page has the details of the worst " +
      Object.keys(data().buckets).length +
      " causes alone, and this is none of them: the database has them",
      triage(r, ""), "."));
    return parts;
  }
  const whole = isObject(record) ? record : {};
  parts.push(element("div", { class: "two" }, about(r, d, whole),
    reproduce(r, d)));
  parts.push(sourceLines(d), ...pictures(whole, d), ruleCard(r.rule),
    inputBox(d), history(d), proof(whole));
  return parts.filter((part) => part !== null);
}

/* What the database tells of it, for who has that. */
function triage(r, options) {
  return typeof data().show === "string"
    ? [" (", element("code", {}, data().show + " " + r.id + options), ")"] : [];
}

function reproduce(r, d) {
  const pre = element("pre", { class: "wrap" }, d.command || "");
  return card("Reproduce", d.command
    ? copyBox(d.command, "the command", pre)
    : element("p", { class: "quiet" }, "No command makes it again."),
  element("p", { class: "quiet small after" },
    "The database has the whole input", triage(r, " --input -o FILE"), "."));
}

function bar(r) {
  const at = view.order.indexOf(r);
  const button = (text, target) => {
    const made = element("button", { type: "button",
      disabled: target === undefined ? "" : null }, text);
    made.addEventListener("click", () => open(target));
    return made;
  };
  const back = element("button", { type: "button", class: "back" },
    "\u2190 All findings");
  back.addEventListener("click", close);
  return element("nav", { class: "bar", "aria-label": "Findings" }, back,
    at < 0 ? null : button("Previous", view.order[at - 1]),
    at < 0 ? null : button("Next", view.order[at + 1]));
}

/* --- Going from one to the other --- */

let last = null; /* the finding that was open last */
const rowOf = (id) => view.rows.find((r) => r.id === id);

function current() {
  const match = /^#bucket-(\d+)$/.exec(location.hash);
  return match === null ? undefined : rowOf(match[1]);
}

function open(r) {
  if (r !== undefined)
    location.hash = "bucket-" + r.id;
}

function close() {
  location.hash = "findings";
}

const title = document.title;
function route() {
  const r = current();
  byId("overview").hidden = r !== undefined;
  byId("detail").hidden = r === undefined;
  if (r === undefined) {
    document.title = title;
    byId("detail").replaceChildren();
    back();
    return;
  }
  last = r;
  byId("detail").replaceChildren(...build(r));
  byId("detail").setAttribute("aria-labelledby", "finding-title");
  document.title = r.severity + " " + r.rule + " - " + title;
  window.scrollTo(0, 0);
  byId("finding-title").focus({ preventScroll: true });
}

function back() {
  if (last === null)
    return;
  const at = view.order.indexOf(last);
  if (at >= view.shown) {
    view.shown = at + 1;
    show();
  }
  if (at >= 0) {
    last.link.focus({ preventScroll: true });
    last.row.scrollIntoView({ block: "center" });
  }
  last = null;
}

/* --- Keys --- */

function step(by) {
  const r = current();
  if (r !== undefined) {
    open(view.order[view.order.indexOf(r) + by]);
    return;
  }
  const shown = view.order.slice(0, view.shown);
  const at = shown.findIndex((x) => x.row.contains(document.activeElement));
  const next = shown[at < 0 ? (by > 0 ? 0 : shown.length - 1) : at + by];
  if (next === undefined)
    return;
  next.link.focus({ preventScroll: true });
  next.row.scrollIntoView({ block: "nearest" });
}

function isTyping(target) {
  return target instanceof Element &&
    target.matches("input, textarea, select");
}

function onEscape(event) {
  if (event.target === byId("search") && byId("search").value !== "")
    return; /* the browser empties the field */
  if (current() !== undefined)
    close();
  else if (document.activeElement instanceof HTMLElement)
    document.activeElement.blur();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey ||
      view.rows.length === 0)
    return;
  const search = byId("search"), typing = isTyping(event.target);
  const inRow = event.target instanceof Element &&
    event.target.closest("#rows") !== null;
  const arrows = inRow || event.target === search;
  let used = true;
  if (event.key === "Escape")
    onEscape(event);
  else if (event.key === "ArrowDown" && arrows)
    step(1);
  else if (event.key === "ArrowUp" && inRow)
    step(-1);
  else if (typing)
    used = false;
  else if (event.key === "/") {
    if (current() !== undefined)
      close();
    route();
    search.focus();
    search.select();
  } else if (event.key === "j")
    step(1);
  else if (event.key === "k")
    step(-1);
  else
    used = false;
  if (used && event.key !== "Escape")
    event.preventDefault();
}

document.addEventListener("DOMContentLoaded", () => {
  try {
    prepareTable();
  } catch (problem) {
    root.classList.remove("js");
    throw problem;
  }
  addEventListener("hashchange", route);
  document.addEventListener("keydown", onKey);
  route();
});
