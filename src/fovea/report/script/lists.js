// --- lists of many rows, of which only those in view exist

const MOST_PRINTED = 100;

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
    window.addEventListener("beforeprint", () => this.print());
    window.addEventListener("afterprint", () => this.refresh());
  }
  refresh() {
    this.space.style.height = `${this.count() * this.rowHeight}px`;
    this.show();
  }
  show() {
    const first = Math.max(0, Math.floor(this.node.scrollTop / this.rowHeight) - SPARE);
    const last = Math.min(this.count(), Math.ceil((this.node.scrollTop + this.node.clientHeight) / this.rowHeight) + SPARE);
    this.space.replaceChildren(...this.rows(first, last));
    if (this.chosen >= 0) this.node.setAttribute("aria-activedescendant", `${this.name}-${this.chosen}`);
  }
  // Paper gets the first rows, and how many there are besides.
  print() {
    const count = Math.min(this.count(), MOST_PRINTED), left = this.count() - count;
    this.space.style.height = `${(count + (left > 0)) * this.rowHeight}px`;
    const end = make("div", { className: this.rowClass }, `and ${tidy(left)} more`);
    end.style.top = `${count * this.rowHeight}px`;
    this.space.replaceChildren(...this.rows(0, count), ...(left > 0 ? [end] : []));
  }
  rows(first, last) {
    const rows = [];
    for (let i = first; i < last; ++i) {
      const row = make("div", { className: this.rowClass + (i === this.chosen ? " chosen" : ""), id: `${this.name}-${i}`,
                                role: "option", ariaSelected: String(i === this.chosen), on: { click: () => this.select(i) } });
      row.style.top = `${i * this.rowHeight}px`;
      row.style.height = `${this.rowHeight}px`;
      this.fill(row, i);
      rows.push(row);
    }
    return rows;
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

// A table whose rows can be sorted by a column and filtered by a text; `choose` is told of the row that was chosen.
function showTable(block, choose = () => {}) {
  let order = block.rows.map((_, i) => i), down = true;
  const isNumber = block.columns.map((_, c) => block.rows.some((row) => typeof row[c] === "number"));
  const said = make("output", { className: "soft" });
  const list = new VirtualList(block.title, () => order.length, (node, i) => {
    block.rows[order[i]].forEach((cell, c) => {
      const text = tidy(cell);
      node.append(make("span", { className: isNumber[c] ? "number" : "", title: text.slice(0, 1000) }, text.slice(0, 300)));
    });
  }, (i) => choose(order[i]));
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
  if (block.rows.length >= 14)
    return make("div", {}, make("div", { className: "controls" }, ...filterBox("Only rows with ", apply), said), head, list.node);
  list.node.style.height = `${Math.max(1, block.rows.length) * ROW + 2}px`;
  return make("div", {}, head, list.node);
}

function compareCells(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a ?? "").localeCompare(String(b ?? ""));
}
