"use strict";
// Draws a page of Fovea from the JSON in it. Whatever comes from data becomes text, never markup.
const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["#2f6fde", "#c2570c", "#2c8a3e", "#a63d93", "#8a6d00", "#0a8087", "#c43a31", "#6a55c9"];
const ROW = 28, SPARE = 8, SAVE_AS = "labels.csv";

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

// --- facts and notes

function showFacts(block) {
  const body = make("tbody");
  for (const [name, value] of block.rows)
    body.append(make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, tidy(value))));
  return make("table", {}, body);
}

function showNote(block) {
  return make("p", { className: block.warning ? "warning" : "" }, block.text);
}

// --- charts

function ticksOf(low, high, isLog) {
  if (isLog) {
    const ticks = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); ++e) ticks.push(10 ** e);
    return ticks.filter((t) => t >= low / 1.001 && t <= high * 1.001);
  }
  const step = 10 ** Math.floor(Math.log10((high - low) / 4));
  const good = [1, 2, 5, 10].map((f) => f * step).find((s) => (high - low) / s <= 6);
  const ticks = [];
  for (let t = Math.ceil(low / good) * good; t <= high + good / 1e6; t += good) ticks.push(Math.abs(t) < good / 1e6 ? 0 : t);
  return ticks;
}

class Scale {
  constructor(values, from, to, isLog) {
    const finite = values.filter((v) => Number.isFinite(v) && (!isLog || v > 0));
    this.low = finite.reduce((a, b) => Math.min(a, b), Infinity);
    this.high = finite.reduce((a, b) => Math.max(a, b), -Infinity);
    if (!(this.low < this.high)) [this.low, this.high] = Number.isFinite(this.low) ? [this.low - .5, this.high + .5] : [0, 1];
    if (isLog && this.low <= 0) [this.low, this.high] = [.1, 1];
    Object.assign(this, { from, to, isLog });
  }
  at(value) {
    const f = this.isLog ? Math.log : (v) => v;
    return this.from + (this.to - this.from) * (f(value) - f(this.low)) / (f(this.high) - f(this.low));
  }
}

function showChart(block) {
  const left = 70, top = 12, width = 640, height = 260;
  const all = block.series.flatMap((series) => series.points);
  if (all.length === 0) return make("p", { className: "soft" }, "Nothing to draw.");
  const ends = block.diagonal ? [0, 1] : [];  // both axes of shares
  const xs = [...all.map((p) => p[0]), ...ends], bar = block.bars ? widthOfBars(block.series[0].points) : 0;
  const x = new Scale(block.bars ? [...xs.map((v) => v - bar / 2), ...xs.map((v) => v + bar / 2)] : xs, left, left + width, block.log_x);
  const isWhole = !block.diagonal && xs.every(Number.isInteger);
  const ys = [...all.map((p) => p[1]), ...ends];
  if (block.bars) ys.push(0);
  const y = new Scale(ys, top + height, top, block.log_y);
  const svg = draw("svg", { viewBox: `0 0 ${left + width + 20} ${top + height + 50}`, role: "img", "aria-label": block.title });
  for (const t of ticksOf(x.low, x.high, block.log_x)) {
    if (isWhole && !Number.isInteger(t)) continue;
    svg.append(draw("line", { class: "grid", x1: x.at(t), x2: x.at(t), y1: top, y2: top + height }));
    svg.append(draw("text", { x: x.at(t), y: top + height + 18, "text-anchor": "middle" }, tidy(t)));
  }
  for (const t of ticksOf(y.low, y.high, block.log_y)) {
    svg.append(draw("line", { class: "grid", x1: left, x2: left + width, y1: y.at(t), y2: y.at(t) }));
    svg.append(draw("text", { x: left - 8, y: y.at(t) + 4, "text-anchor": "end" }, tidy(t)));
  }
  svg.append(draw("line", { class: "axis", x1: left, x2: left + width, y1: top + height, y2: top + height }));
  svg.append(draw("text", { x: left + width / 2, y: top + height + 40, "text-anchor": "middle" }, block.x));
  svg.append(draw("text", { x: 14, y: top + height / 2, "text-anchor": "middle",
                            transform: `rotate(-90 14 ${top + height / 2})` }, block.y));
  block.series.forEach((series, s) => drawSeries(svg, series, COLOURS[s % COLOURS.length], x, y, bar, block));
  if (block.diagonal)
    svg.append(draw("line", { class: "axis", "stroke-dasharray": "4 4", x1: x.at(x.low), y1: y.at(x.low), x2: x.at(x.high), y2: y.at(x.high) }));
  const figure = make("figure", {}, svg);
  if (block.series.length > 1) figure.append(legendOf(block.series.map((series) => series.name)));
  if (block.threshold !== undefined) addThreshold(figure, svg, block, x, top, height);
  return figure;
}

// The least distance between two points, along x.
function widthOfBars(points) {
  let least = Infinity;
  for (let i = 1; i < points.length; ++i) least = Math.min(least, Math.abs(points[i][0] - points[i - 1][0]));
  return Number.isFinite(least) && least > 0 ? least : 1;
}

function drawSeries(svg, series, colour, x, y, bar, block) {
  const points = series.points.filter((p) => Number.isFinite(p[0]) && Number.isFinite(p[1]));
  if (block.bars) {
    const wide = Math.max(1, Math.abs(x.at(x.low + bar) - x.at(x.low)) - 1);
    for (const p of points) {
      const rect = draw("rect", { x: x.at(p[0]) - wide / 2, y: Math.min(y.at(p[1]), y.at(0)), width: wide,
                                  height: Math.abs(y.at(p[1]) - y.at(0)), fill: colour });
      rect.append(draw("title", {}, `${block.x} ${tidy(p[0])}: ${tidy(p[1])}`));
      svg.append(rect);
    }
    return;
  }
  if (!block.dots)
    svg.append(draw("polyline", { points: points.map((p) => `${x.at(p[0]).toFixed(1)},${y.at(p[1]).toFixed(1)}`).join(" "),
                                  fill: "none", stroke: colour, "stroke-width": 2 }));
  if (!block.dots && points.length > 60) return;
  for (const p of points) {
    const dot = draw("circle", { cx: x.at(p[0]), cy: y.at(p[1]), r: block.dots ? 3 : 2.5, fill: colour });
    dot.append(draw("title", {}, `${series.name}: ${tidy(p[0])}, ${tidy(p[1])}`));
    svg.append(dot);
  }
}

function legendOf(names) {
  return make("ul", { className: "legend" }, ...names.map((name, s) => {
    const swatch = make("span", { className: "swatch" });
    swatch.style.background = COLOURS[s % COLOURS.length];
    return make("li", {}, swatch, name);
  }));
}

// A threshold to drag: says how much of the first series lies at or above it.
function addThreshold(figure, svg, block, x, top, height) {
  const line = draw("line", { y1: top, y2: top + height, stroke: "currentColor", "stroke-width": 2 });
  svg.append(line);
  const total = block.series[0].points.reduce((sum, p) => sum + p[1], 0);
  const said = make("output", {});
  const id = `threshold-${Math.random().toString(36).slice(2)}`;
  const slider = make("input", { type: "range", id, min: x.low, max: x.high, step: (x.high - x.low) / 200,
                                 value: block.threshold, on: { input: move } });
  function move() {
    const at = Number(slider.value);
    line.setAttribute("x1", x.at(at));
    line.setAttribute("x2", x.at(at));
    const above = block.series[0].points.reduce((sum, p) => sum + (p[0] >= at ? p[1] : 0), 0);
    said.textContent = `${tidy(at)}: ${tidy(above)} of ${tidy(total)} at or above`;
  }
  move();
  figure.append(make("div", { className: "controls" }, make("label", { htmlFor: id }, "Threshold "), slider, said));
}

// --- lists of many rows, of which only those in view exist

class VirtualList {
  // `count()` rows of equal height; `fill(node, i)` writes row i; `choose(i)` is told of the chosen row.
  constructor(label, count, fill, choose, rowClass = "row", rowHeight = ROW) {
    Object.assign(this, { count, fill, choose, rowClass, rowHeight, chosen: -1 });
    this.space = make("div", { role: "presentation" });
    this.node = make("div", { className: "list", tabIndex: 0, role: "listbox", ariaLabel: label,
                              on: { scroll: () => this.show(), keydown: (event) => this.key(event) } }, this.space);
    this.name = `list${VirtualList.made = (VirtualList.made || 0) + 1}`;
    this.keys = {};
    new ResizeObserver(() => this.show()).observe(this.node);
  }
  refresh() {
    this.space.style.height = `${this.count() * this.rowHeight}px`;
    this.show();
  }
  show() {
    const first = Math.max(0, Math.floor(this.node.scrollTop / this.rowHeight) - SPARE);
    const last = Math.min(this.count(), Math.ceil((this.node.scrollTop + this.node.clientHeight) / this.rowHeight) + SPARE);
    const rows = [];
    for (let i = first; i < last; ++i) {
      const row = make("div", { className: this.rowClass + (i === this.chosen ? " chosen" : ""), id: `${this.name}-${i}`,
                                role: "option", ariaSelected: String(i === this.chosen), on: { click: () => this.select(i) } });
      row.style.top = `${i * this.rowHeight}px`;
      row.style.height = `${this.rowHeight}px`;
      this.fill(row, i);
      rows.push(row);
    }
    this.space.replaceChildren(...rows);
    if (this.chosen >= 0) this.node.setAttribute("aria-activedescendant", `${this.name}-${this.chosen}`);
  }
  select(i) {
    if (this.count() === 0) return;
    this.chosen = Math.max(0, Math.min(this.count() - 1, i));
    const y = this.chosen * this.rowHeight;
    if (y < this.node.scrollTop) this.node.scrollTop = y;
    if (y + this.rowHeight > this.node.scrollTop + this.node.clientHeight)
      this.node.scrollTop = y + this.rowHeight - this.node.clientHeight;
    this.show();
    this.choose(this.chosen);
  }
  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.rowHeight) - 1);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in moves) this.select(this.chosen + moves[event.key]);
    else if (event.key in this.keys) this.keys[event.key](this.chosen);
    else return;
    event.preventDefault();
  }
}

function filterBox(title, apply) {
  const id = `filter-${Math.random().toString(36).slice(2)}`;
  const box = make("input", { type: "search", id, on: { input: () => apply(box.value.toLowerCase()) } });
  return [make("label", { htmlFor: id }, title), box];
}

// A table whose rows can be sorted by a column and filtered by a text.
function showTable(block) {
  let order = block.rows.map((_, i) => i), down = true;
  const isNumber = block.columns.map((_, c) => block.rows.some((row) => typeof row[c] === "number"));
  const said = make("output", { className: "soft" });
  const list = new VirtualList(block.title, () => order.length, (node, i) => {
    block.rows[order[i]].forEach((cell, c) => {
      const text = tidy(cell);
      node.append(make("span", { className: isNumber[c] ? "number" : "", title: text.slice(0, 1000) }, text.slice(0, 300)));
    });
  }, () => {});
  function apply(text) {
    order = block.rows.map((_, i) => i);
    if (text) order = order.filter((i) => block.rows[i].some((cell) => tidy(cell).toLowerCase().includes(text)));
    said.textContent = `${tidy(order.length)} of ${tidy(block.rows.length)} rows`;
    list.chosen = -1;
    list.refresh();
  }
  const head = make("div", { className: "head" }, ...block.columns.map((name, c) => make("button", {
    type: "button", className: isNumber[c] ? "number" : "", title: `Sort by ${name}`, on: { click: () => {
      down = !down;
      order.sort((a, b) => compareCells(block.rows[a][c], block.rows[b][c]) * (down ? -1 : 1));
      list.refresh();
    } } }, name)));
  apply("");
  if (block.rows.length < 14) list.node.style.height = `${Math.max(1, block.rows.length) * ROW + 2}px`;
  return make("div", {}, make("div", { className: "controls" }, ...filterBox("Only rows with ", apply), said), head, list.node);
}

function compareCells(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a ?? "").localeCompare(String(b ?? ""));
}

// --- tagged text

function showTagged(block) {
  const wanted = block.sequences.map((_, i) => i);
  let order = wanted;
  const kind = (label) => (label === "O" ? -1 : Math.max(0, block.kinds.indexOf(label.replace(/^[BIES]-/, ""))));
  const doubts = block.sequences.map((sequence) => 1 - (sequence.p || []).reduce((a, b) => Math.min(a, b), 1));
  const detail = make("div", { className: "detail", ariaLive: "polite" }, "Choose a sentence to see it at full length.");
  const list = new VirtualList(block.title, () => order.length, (node, i) => fillSentence(node, block, kind, order[i], true),
                               (i) => showSentence(detail, block, kind, order[i]), "sentence", 36);
  const said = make("output", { className: "soft" });
  let text = "", least = 0;
  function apply() {
    order = wanted.filter((i) => doubts[i] >= least &&
                          (!text || block.sequences[i].words.join(" ").toLowerCase().includes(text)));
    said.textContent = `${tidy(order.length)} of ${tidy(wanted.length)} sentences`;
    list.chosen = -1;
    list.refresh();
  }
  const id = `doubt-${Math.random().toString(36).slice(2)}`;
  const slider = make("input", { type: "range", id, min: 0, max: 1, step: .01, value: 0, on: { input: () => {
    least = Number(slider.value);
    apply();
  } } });
  const controls = make("div", { className: "controls" }, ...filterBox("Only with ", (t) => { text = t; apply(); }));
  if (block.sequences.some((sequence) => sequence.p)) controls.append(make("label", { htmlFor: id }, "Doubt of the least sure label, at least "), slider);
  controls.append(said);
  apply();
  const legend = make("ul", { className: "legend" }, ...block.kinds.map((name, k) =>
    make("li", {}, make("span", { className: `word k${k % 8}` }, name))));
  return make("div", {}, legend, controls, list.node, detail);
}

function fillSentence(node, block, kind, n, isShort) {
  const sequence = block.sequences[n];
  const most = isShort ? 60 : sequence.words.length;
  sequence.words.slice(0, most).forEach((word, t) => {
    const label = sequence.labels[t], k = kind(label), p = sequence.p ? sequence.p[t] : undefined;
    const said = [label, p === undefined ? "" : percent(p), sequence.visits ? `${sequence.visits[t]} visits` : ""];
    const part = make("span", { className: "word" + (k >= 0 ? ` k${k % 8}` : "") + (p < .9 ? " doubt" : ""),
                                title: said.filter(Boolean).join(", ") }, word.slice(0, 200));
    if (p !== undefined && p < .9) part.style.borderBottomStyle = p < .5 ? "solid" : p < .75 ? "dashed" : "dotted";
    if (!isShort && label !== "O") part.append(make("small", {}, label));
    node.append(part, " ");
  });
  if (isShort) node.style.whiteSpace = "nowrap";
  if (isShort) node.style.overflow = "hidden";
}

function showSentence(detail, block, kind, n) {
  const sequence = block.sequences[n];
  const text = make("p", {});
  fillSentence(text, block, kind, n, false);
  detail.replaceChildren(make("strong", {}, `Sentence ${n + 1}`), text);
  if (!sequence.best) return;
  const body = make("tbody", {}, ...sequence.best.map(([p, labels]) =>
    make("tr", {}, make("td", {}, percent(p)), make("td", {}, labels.join(" ")))));
  detail.append(make("table", {}, make("caption", {}, "Best labelings"), body));
}

// --- pairs of records, to look at and to label

function showPairs(block) {
  const answers = new Map();
  let order = block.pairs.map((_, i) => i);
  const said = make("output", { className: "soft" });
  const detail = make("div", { className: "detail", ariaLive: "polite" }, "Choose a pair to compare it field by field.");
  const nameOf = (r) => block.records[r].filter(Boolean).join(", ").slice(0, 160);
  const list = new VirtualList(block.title, () => order.length, (node, i) => {
    const [a, b, p] = block.pairs[order[i]];
    const answer = answers.get(order[i]);
    node.append(make("span", { className: "number" }, percent(p)), make("span", {}, nameOf(a)), make("span", {}, nameOf(b)),
                make("span", { className: "number" }, answer === undefined ? "" : answer ? "same" : "different"));
  }, (i) => showPair(detail, block, order[i], answers.get(order[i])));
  function label(same) {
    if (list.chosen < 0) return;
    const pair = order[list.chosen];
    if (same === undefined) answers.delete(pair);
    else answers.set(pair, same);
    save.textContent = `Save ${answers.size} labels as ${SAVE_AS}`;
    list.select(list.chosen + 1);
  }
  list.keys = { y: () => label(true), n: () => label(false), u: () => label(undefined) };
  const save = make("button", { type: "button", on: { click: () => saveLabels(block, answers) } }, `Save 0 labels as ${SAVE_AS}`);
  function apply(text) {
    order = block.pairs.map((_, i) => i);
    if (text) {  // each record is looked at once, however many pairs it is in
      const has = block.records.map((cells) => cells.join("\n").toLowerCase().includes(text));
      order = order.filter((i) => has[block.pairs[i][0]] || has[block.pairs[i][1]]);
    }
    said.textContent = `${tidy(order.length)} of ${tidy(block.pairs.length)} pairs`;
    list.chosen = -1;
    list.refresh();
  }
  apply("");
  const buttons = [["Same (y)", true], ["Different (n)", false], ["Unsure (u)", undefined]].map(([name, same]) =>
    make("button", { type: "button", on: { click: () => label(same) } }, name));
  return make("div", {}, make("div", { className: "controls" }, ...filterBox("Only pairs with ", apply), said),
              list.node, make("div", { className: "controls" }, ...buttons, save), detail);
}

function showPair(detail, block, n, answer) {
  const [a, b, p, ...weights] = block.pairs[n];
  const rows = block.columns.map((name, c) => {
    const cells = [block.records[a][c] ?? "", block.records[b][c] ?? ""];
    return make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell) =>
      make("td", { className: cells[0] === cells[1] ? "" : "differs" }, cell.slice(0, 2000))));
  });
  const answered = answer === undefined ? "" : answer ? "; you said: same" : "; you said: different";
  detail.replaceChildren(make("strong", {}, `Probability of one entity: ${percent(p)}${answered}`),
                         make("table", {}, make("tbody", {}, ...rows)), waterfall(block.comparisons, weights));
}

// Bars of the weights of evidence, each from where the one before it ends.
function waterfall(names, weights) {
  const shown = names.map((name, i) => [name, weights[i]]).filter(([, w]) => Number.isFinite(w) && w !== 0);
  const ends = [0];
  for (const [, w] of shown) ends.push(ends[ends.length - 1] + w);
  const x = new Scale([...ends, 0], 190, 560, false);
  const svg = draw("svg", { viewBox: `0 0 660 ${22 * shown.length + 8}`, role: "img", "aria-label": "Weights of evidence, nats" });
  shown.forEach(([name, w], i) => {
    const from = x.at(ends[i]), to = x.at(ends[i + 1]);
    svg.append(draw("text", { x: 182, y: 22 * i + 16, "text-anchor": "end" }, name.slice(0, 28)));
    svg.append(draw("rect", { x: Math.min(from, to), y: 22 * i + 4, width: Math.max(1, Math.abs(to - from)), height: 16,
                              fill: w > 0 ? COLOURS[2] : COLOURS[6] }));
    svg.append(draw("text", { x: Math.max(from, to) + 6, y: 22 * i + 16 }, (w > 0 ? "+" : "") + w.toFixed(2)));
  });
  return svg;
}

function csvCell(text) {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function saveLabels(block, answers) {
  const lines = ["first_id,second_id,match"];
  for (const [pair, same] of answers) {
    const [a, b] = block.pairs[pair];
    lines.push(`${csvCell(block.ids[a])},${csvCell(block.ids[b])},${same ? 1 : 0}`);
  }
  const link = make("a", { href: URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" })), download: SAVE_AS });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const SHOW = { facts: showFacts, note: showNote, chart: showChart, table: showTable, tagged: showTagged, pairs: showPairs };
const PAGE = JSON.parse(document.getElementById("data").textContent);

function showPage() {
  document.title = PAGE.title;
  const main = document.getElementById("page");
  const links = make("ul");
  main.append(make("h1", {}, PAGE.title), make("p", { className: "soft" }, PAGE.subtitle),
              make("nav", { ariaLabel: "Parts of this page" }, links));
  PAGE.blocks.forEach((block, i) => {
    const section = make("section");
    if (block.title) {
      section.append(make("h2", { id: `part${i}` }, block.title));
      links.append(make("li", {}, make("a", { href: `#part${i}` }, block.title)));
    }
    if (block.about) section.append(make("p", {}, block.about));
    main.append(section);
    section.append(SHOW[block.type](block));
  });
}
showPage();
