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
  let text = "", least = 0, isWanted = () => true;
  function apply() {
    order = wanted.filter((i) => doubts[i] >= least && isWanted(block.sequences[i]) &&
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
  if (block.sequences.some((sequence) => sequence.others))
    controls.append(...mistakeChoice(block, (choice) => { isWanted = choice; apply(); }));
  controls.append(said);
  apply();
  const legend = make("ul", { className: "legend" }, ...block.kinds.map((name, k) =>
    make("li", {}, make("span", { className: `word k${k % 8}` }, name))));
  return make("div", {}, legend, controls, list.node, detail);
}

// True if a label of the tagging differs from the gold label.
const isMistaken = (gold, labels) => gold.some((label, t) => label && label !== labels[t]);

// A choice among sentences by which of two taggings is wrong.
function mistakeChoice(block, apply) {
  const first = (s) => isMistaken(s.gold, s.labels), second = (s) => isMistaken(s.gold, s.others);
  const choices = [["either", () => true], [`${block.name} alone`, (s) => first(s) && !second(s)],
                   [`${block.other} alone`, (s) => second(s) && !first(s)], ["both", (s) => first(s) && second(s)]];
  const id = `mistakes-${Math.random().toString(36).slice(2)}`;
  const box = make("select", { id, on: { change: () => apply(choices[box.selectedIndex][1]) } },
                   ...choices.map(([name]) => make("option", {}, name)));
  return [make("label", { htmlFor: id }, "Mistaken by "), box];
}

function fillSentence(node, block, kind, n, isShort) {
  const sequence = block.sequences[n];
  const most = isShort ? 60 : sequence.words.length;
  sequence.words.slice(0, most).forEach((word, t) => {
    const label = sequence.labels[t], k = kind(label), p = sequence.p ? sequence.p[t] : undefined;
    const gold = sequence.gold ? sequence.gold[t] : "", isWrong = gold && gold !== label;
    const said = [label, p === undefined ? "" : percent(p), isWrong ? `gold ${gold}` : "", sequence.visits ? `${sequence.visits[t]} visits` : ""];
    const part = make("span", { className: "word" + (k >= 0 ? ` k${k % 8}` : "") + (p < .9 ? " doubt" : "") + (isWrong ? " wrong" : ""),
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
  if (sequence.gold) detail.append(mistakesOf(block, sequence));
  if (!sequence.best) return;
  const body = make("tbody", {}, ...sequence.best.map(([p, labels]) =>
    make("tr", {}, make("td", {}, percent(p)), make("td", {}, labels.join(" ")))));
  detail.append(make("table", {}, make("caption", {}, "Best labelings"), body));
}

// A row for each item that a tagging gets wrong.
function mistakesOf(block, sequence) {
  const names = ["item", "word", "gold", block.name, ...(sequence.others ? [block.other] : [])];
  const body = make("tbody", {});
  sequence.gold.forEach((gold, t) => {
    const labels = [sequence.labels[t], ...(sequence.others ? [sequence.others[t]] : [])];
    if (!gold || labels.every((label) => label === gold)) return;
    body.append(make("tr", {}, make("td", {}, String(t + 1)), make("td", {}, sequence.words[t].slice(0, 200)), make("td", {}, gold),
                     ...labels.map((label) => make("td", { className: label === gold ? "" : "differs" }, label))));
  });
  return make("table", {}, make("thead", {}, make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)))), body);
}
