"use strict";
// Draws a page of Fovea from the JSON in it. Whatever comes from data becomes text, never markup.
const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#2f6fde", "#c2570c", "#2c8a3e", "#a63d93", "#8a6d00", "#0a8087", "#c43a31", "#6a55c9"];
const ROW = 28, SPARE = 8;

function make(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "on") for (const [event, action] of Object.entries(value)) node.addEventListener(event, action);
    else if (key in node && key !== "list") node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

function draw(name, attributes, text) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text !== undefined) node.textContent = text;
  return node;
}

function tidy(value) {
  if (value === null || value === undefined) return "-";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  return size >= 1e6 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
}
const percent = (p) => (100 * p).toFixed(p > .995 || p < .005 ? 2 : 1) + " %";

function showFacts(block) {
  const body = make("tbody");
  for (const [name, value] of block.rows)
    body.append(make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, tidy(value))));
  return make("table", {}, body);
}

function showNote(block) {
  return make("p", { className: block.warning ? "warning" : "" }, block.text);
}

function showText(block) {
  return make("pre", { tabIndex: 0 }, block.text);
}
