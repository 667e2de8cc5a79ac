// --- charts

function ticksOf(low, high, isLog) {
  if (isLog) {
    const ticks = [], digits = high < 100 * low ? [1, 2, 5] : [1];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); ++e) ticks.push(...digits.map((d) => d * 10 ** e));
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
  const top = 12, width = 640, height = 260;
  const all = block.series.flatMap((series) => series.points);
  if (all.length === 0) return make("p", { className: "soft" }, "Nothing to draw.");
  // Both axes are alike where they are compared: those of shares go from 0 to 1.
  const both = all.flat(), ends = !block.diagonal ? [] : both.every((v) => v >= 0 && v <= 1) ? [0, 1]
    : [both.reduce((a, b) => Math.min(a, b)), both.reduce((a, b) => Math.max(a, b))];
  const ys = [...all.map((p) => p[1]), ...ends];
  if (block.bars || block.fromZero) ys.push(0);
  const y = new Scale(ys, top + height, top, block.log_y), yTicks = ticksOf(y.low, y.high, block.log_y);
  const left = 36 + 7 * Math.max(5, ...yTicks.map((t) => tidy(t).length));
  const xs = [...all.map((p) => p[0]), ...ends], bar = block.bars ? widthOfBars(block.series[0].points) : 0;
  const x = new Scale(block.bars ? [...xs.map((v) => v - bar / 2), ...xs.map((v) => v + bar / 2)] : xs, left, left + width, block.log_x);
  const isWhole = !block.diagonal && xs.every(Number.isInteger);
  const svg = draw("svg", { viewBox: `0 0 ${left + width + 20} ${top + height + 50}`, role: "img", "aria-label": block.title });
  for (const t of ticksOf(x.low, x.high, block.log_x)) {
    if (isWhole && !Number.isInteger(t)) continue;
    svg.append(draw("line", { class: "grid", x1: x.at(t), x2: x.at(t), y1: top, y2: top + height }));
    svg.append(draw("text", { x: x.at(t), y: top + height + 18, "text-anchor": "middle" }, tidy(t)));
  }
  for (const t of yTicks) {
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
  if (!block.dots || series.line)
    svg.append(draw("polyline", { points: cornersOf(points, block.steps).map((p) => `${x.at(p[0]).toFixed(1)},${y.at(p[1]).toFixed(1)}`).join(" "),
                                  fill: "none", stroke: colour, "stroke-width": block.thin ? .8 : 2 }));
  if (series.line || (!block.dots && points.length > 60)) return;
  for (const p of points) {
    const dot = draw("circle", { cx: x.at(p[0]), cy: y.at(p[1]), r: block.dots ? 3 : 2.5, fill: colour });
    dot.append(draw("title", {}, `${series.name}: ${tidy(p[0])}, ${tidy(p[1])}`));
    svg.append(dot);
  }
}

// The corners of a line through points, or of one that keeps each value until the next point.
function cornersOf(points, areSteps) {
  if (!areSteps) return points;
  return points.flatMap((p, i) => (i === 0 ? [p] : [[p[0], points[i - 1][1]], p]));
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
