// --- draws of chains, one quantity at a time, and pictures

function showDraws(block) {
  const detail = make("div", { className: "detail", ariaLive: "polite" }, "Choose a row to see its draws.");
  const rows = block.quantities.map((quantity) => [quantity.name, ...quantity.figures]);
  const table = showTable({ title: block.title, columns: ["quantity", ...block.columns], rows },
                          (i) => showQuantity(detail, block, block.quantities[i]));
  if (block.quantities.length > 0) showQuantity(detail, block, block.quantities[0]);
  return make("div", {}, table, detail);
}

function showQuantity(detail, block, quantity) {
  detail.replaceChildren(make("strong", {}, quantity.name));
  if (!quantity.traces) return detail.append(make("p", {}, "The page has no draws of this one."));
  const name = (c) => `chain ${c + 1}`;
  const values = { title: `Values of ${quantity.name}`, x: quantity.name, y: "draws", bars: true,
                   series: [{ name: "draws", points: quantity.values }] };
  const traces = { title: `Draws of ${quantity.name}`, x: "draw", y: quantity.name, thin: true,
                   series: quantity.traces.map((trace, c) => ({ name: name(c), points: trace.map((v, t) => [t * block.step + 1, v]) })) };
  const ranks = { title: `Ranks of the draws of ${quantity.name}`, x: "rank among the draws of all chains", y: "draws", fromZero: true,
                  series: quantity.ranks.map((counts, c) => ({ name: name(c), points: counts.map((v, r) => [(r + .5) / counts.length, v]) })) };
  for (const chart of [values, traces, ranks])
    detail.append(make("h3", {}, chart.title), showChart(chart));
  detail.append(make("p", { className: "soft" }, "Where chains have mixed, their lines of ranks are level and alike."));
}

function showPicture(block) {
  return make("img", { src: `data:image/png;base64,${block.png}`, alt: block.title });
}
