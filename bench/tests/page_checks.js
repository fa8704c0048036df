// Looks at a page the way a reader does, and leaves what it found in <pre id="checks"> as JSON.
(function () {
  const found = [];
  const text_of = (e) => e.textContent.trim().slice(0, 60);

  // Nothing may come from outside.
  const carries_address = /^(src|href|srcset|data|action|poster|background|formaction|xlink:href)$/;
  for (const e of document.querySelectorAll("*")) {
    if (e.id === "the_checks") continue;
    // The timeline draws by a script of its own, which is part of the page.
    if (e.localName === "script" && /^(data|view)$/.test(e.id) && !e.src) continue;
    if (/^(script|link|iframe|object|embed|img|image|use|base|form)$/.test(e.localName)) {
      found.push("element: " + e.localName);
    }
    for (const a of e.attributes) {
      // To another part of the page: it must be there.
      const inside = e.localName === "a" && a.name === "href" && a.value.startsWith("#");
      if (inside && document.getElementById(a.value.slice(1)) === null) found.push("no such part: " + a.value);
      if (!inside && carries_address.test(a.name)) found.push("address: " + a.value);
      if (/^on/.test(a.name)) found.push("handler: " + a.name);
      if (/url\(|@import/.test(a.value)) found.push("address: " + a.value);
    }
    if (e.localName === "style" && /url\(|@import/.test(e.textContent)) found.push("address in style");
  }
  for (const r of performance.getEntriesByType("resource")) found.push("loaded: " + r.name);

  // All text can be read: not too small, not over the edge, not over other text.
  for (const svg of document.querySelectorAll("svg")) {
    const frame = svg.getBoundingClientRect();
    const scale = frame.width / svg.viewBox.baseVal.width;
    const boxes = [];
    for (const t of svg.querySelectorAll("text")) {
      const b = t.getBoundingClientRect();
      if (b.width === 0 && text_of(t) === "") continue;
      if (parseFloat(getComputedStyle(t).fontSize) * scale < 9) found.push("small: " + text_of(t));
      if (b.left < frame.left || b.right > frame.right || b.top < frame.top || b.bottom > frame.bottom) {
        found.push("clipped: " + text_of(t));
      }
      for (const o of boxes) {
        if (b.left < o.box.right && o.box.left < b.right && b.top + 2 < o.box.bottom && o.box.top + 2 < b.bottom) {
          found.push("overlap: " + o.text + " | " + text_of(t));
        }
      }
      boxes.push({ box: b, text: text_of(t) });
    }
    for (const m of svg.querySelectorAll("circle")) {
      const b = m.getBoundingClientRect();
      if (b.left < frame.left || b.right > frame.right) found.push("clipped mark");
    }
  }
  for (const c of document.querySelectorAll("td, th, caption, p, h1, h2, figcaption, li")) {
    if (c.scrollWidth > c.clientWidth + 1) found.push("clipped: " + text_of(c));
  }
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) found.push("wider than the window: " + root.scrollWidth);

  // No number is cut in two by the end of a line.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (/^(script|style|text|title)$/.test(node.parentNode.localName)) continue;
    for (const m of node.data.matchAll(/[0-9][0-9.,]*[0-9]/g)) {
      range.setStart(node, m.index);
      range.setEnd(node, m.index + m[0].length);
      if (new Set(Array.from(range.getClientRects(), (r) => Math.round(r.top))).size > 1) {
        found.push("number cut: " + m[0]);
      }
    }
  }

  const rows_of = (table) =>
    Array.from(table.tBodies[0].rows, (row) => Array.from(row.cells, (c) => c.textContent));
  const out = document.createElement("pre");
  out.id = "checks";
  out.textContent = JSON.stringify({
    found: found,
    figure8: Array.from(document.querySelectorAll("table.figure8"), rows_of),
    results: Array.from(document.querySelectorAll("table.results"), rows_of),
    text: document.body.innerText.slice(0, 4000),
    places: Array.from(document.querySelectorAll("table.places"), rows_of),
    first: ["table.about", "p.verdict", "figure", "table.figure8", "table.results"].filter((s) =>
      document.querySelector(s) !== null).sort((a, b) =>
      document.querySelector(a).compareDocumentPosition(document.querySelector(b)) & 4 ? -1 : 1),
    bars: document.querySelectorAll("#lanes rect").length,
    pictures: document.querySelectorAll("figure svg").length,
    dots: document.querySelectorAll("circle.median").length,
    height: root.scrollHeight,
  }).replace(/[<>&]/g, (c) => "\\u00" + c.charCodeAt(0).toString(16));
  document.body.appendChild(out);
})();
