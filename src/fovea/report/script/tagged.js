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
