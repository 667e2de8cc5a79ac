// --- pairs of records, to look at and to label

const SAVE_AS = "labels.csv";

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
    count();
    if (server) server.put(pair, { first: block.ids[block.pairs[pair][0]], second: block.ids[block.pairs[pair][1]], match: same ?? null });
    list.select(list.chosen + 1);
  }
  const count = () => { save.textContent = `Save ${answers.size} labels as ${SAVE_AS}`; };
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
  const server = PAGE.server ? new Server() : undefined;
  if (server) server.recall(block, answers, () => { count(); list.refresh(); });
  return make("div", {}, make("div", { className: "controls" }, ...filterBox("Only pairs with ", apply), said),
              list.node, make("div", { className: "controls" }, ...buttons, save, ...(server ? server.parts : [])), detail);
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
