// --- the page: one part after the other

const SHOW = { facts: showFacts, note: showNote, text: showText, chart: showChart, table: (block) => showTable(block), tagged: showTagged,
               pairs: showPairs, draws: showDraws, picture: showPicture };
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
