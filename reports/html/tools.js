"use strict";
/*
 * Texts and elements. All texts of inputs become text nodes or attributes,
 * never markup.
 */
const SVG = "http://www.w3.org/2000/svg";
const byId = (id) => document.getElementById(id);

/* --- Texts --- */

const HIDDEN = new RegExp(
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e" +
    "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufdd0-\\ufdef\\ufeff" +
    "\\ufff9-\\ufffb]|\\udb40[\\udc00-\\udc7f]", "g");

/* What is not seen, or turns the direction of text, is written out, as
   report_put does it. */
function visible(text) {
  return String(text).replace(HIDDEN, (c) => {
    const point = c.codePointAt(0), hex = point.toString(16).toUpperCase();
    return point < 0x80 ? "\\x" + hex.padStart(2, "0")
      : point < 0x10000 ? "\\u" + hex.padStart(4, "0")
        : "\\U" + hex.padStart(6, "0");
  });
}

/* At most so many letters of a text. */
function shortened(text, most) {
  const whole = String(text);
  return whole.length <= most ? whole
    : Array.from(whole.slice(0, 2 * most)).slice(0, most).join("") + "\u2026";
}

function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}
function shape(name, attributes, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}
function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {}))
    if (value !== undefined && value !== null && value !== false)
      made.setAttribute(key, visible(value));
  for (const child of children.flat(Infinity))
    if (child !== undefined && child !== null)
      made.append(child instanceof Node ? child : visible(child));
  return made;
}

function plural(n, one, many) {
  return n + " " + (n === 1 ? one : many);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
const isObject = (x) => x !== null && typeof x === "object" &&
  !Array.isArray(x);
const isId = (x) => Number.isSafeInteger(x) && x >= 0;
const list = (x) => (Array.isArray(x) ? x : []);

/* --- Rule pages: a few forms of Markdown --- */

function inline(text) {
  return text.split(/(`[^`]+`)/).map((part) => {
    if (/^`[^`]+`$/.test(part))
      return element("code", {}, part.slice(1, -1));
    return part.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  });
}

function blockOf(lines) {
  if (lines.every((l) => /^( {4}|\t)/.test(l) || l === ""))
    return element("pre", { tabindex: "0" },
      lines.map((l) => l.replace(/^( {4}|\t)/, "")).join("\n"));
  const heading = /^(#+) (.*)$/.exec(lines[0]);
  if (heading !== null)
    return element("h4", {}, inline(heading[2]));
  if (/^[-*] /.test(lines[0])) {
    const items = lines.join("\n").split(/\n(?=[-*] )/);
    return element("ul", {}, items.map((item) =>
      element("li", {}, inline(item.slice(2).replace(/\s+/g, " ")))));
  }
  return element("p", {}, inline(lines.join(" ")));
}

function pageOf(text) {
  const made = element("div", { class: "page" });
  const blocks = text.replace(/\n+$/, "").split(/\n{2,}/);
  blocks.forEach((block, i) => {
    if (i > 0 || !block.startsWith("# "))
      made.append(blockOf(block.split("\n")));
  });
  return made;
}
