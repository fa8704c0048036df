#include "tools/trace_page.hpp"

namespace takt::tools {

// It draws again what trace_page.cpp has drawn, for the part of the time that is asked for.
const char* const k_trace_script = R"js(
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#7f3c8d", "#8c8c8c"];
  const idle = colours.length, asleep = idle + 1, none = idle + 2;
  const all = colours.concat(["#dcdcdc", "#ffffff"]);
  const left = 150, right = 990, top = 8, lane = 40, bar = 20, width = right - left;
  const bottom = top + lane * data.lanes.length;
  const svg = document.getElementById("timeline");
  const seen = document.getElementById("seen");
  const help = seen.textContent;

  // From "since the one before" to times.
  const sums = (list) => { let at = 0; return list.map((d) => (at += d)); };
  const lanes = data.lanes.map((l) => {
    const spans = [];
    let at = 0;
    for (let i = 0; i < l.spans.length; i += 3) {
      const from = at + l.spans[i];
      at = from + l.spans[i + 1];
      spans.push({ from: from, to: at, what: l.spans[i + 2] });
    }
    return { spans: spans, promotions: sums(l.promotions), steals: sums(l.steals), beats: sums(l.beats) };
  });
  const kind = (span) => span.what === -1 ? idle : span.what === -2 ? asleep : data.colours[span.what];
  // The first whose value is not below.
  const first = (list, value, of) => {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (of(list[middle]) < value) low = middle + 1; else high = middle;
    }
    return low;
  };

  let from = 0, to = data.end;
  const rect = (x, y, w, h, fill) =>
    `<rect x="${x.toFixed(1)}" y="${y}" width="${w.toFixed(1)}" height="${h}" fill="${fill}"/>`;
  const shown = (t) => t === 0 ? "0" : t >= 1e7 ? `${+(t / 1e7).toPrecision(6)} s` : t >= 1e4 ? `${+(t / 1e4).toPrecision(6)} ms`
                                : `${+(t / 10).toPrecision(6)} us`;

  function bar_of(spans, y) {
    const scale = width / (to - from);
    const share = new Float64Array(width * none);
    for (let s = first(spans, from, (x) => x.to); s < spans.length && spans[s].from < to; ++s) {
      const begin = Math.max(0, (spans[s].from - from) * scale), end = Math.min(width, (spans[s].to - from) * scale);
      for (let i = Math.floor(begin); i < width && i < end; ++i) {
        share[i * none + kind(spans[s])] += Math.min(end, i + 1) - Math.max(begin, i);
      }
    }
    let out = "", since = 0, before = none;
    for (let i = 0; i <= width; ++i) {
      let most = none, amount = 0;
      for (let k = 0; k < none && i < width; ++k) {
        if (share[i * none + k] > amount) { amount = share[i * none + k]; most = k; }
      }
      if (most === before) continue;
      if (before !== none) out += rect(left + since, y, i - since, bar, all[before]);
      since = i;
      before = most;
    }
    return out;
  }
  function ticks(marks, y, colour) {
    let out = "", before = -1;
    for (let i = first(marks, from, (x) => x); i < marks.length && marks[i] <= to; ++i) {
      const x = left + Math.floor((marks[i] - from) / (to - from) * (width - 1));
      if (x !== before) out += rect(x, y, 1, 5, colour);
      before = x;
    }
    return out;
  }
  function draw() {
    let out = "";
    lanes.forEach((l, i) => {
      const y = top + lane * i;
      out += `<rect x="${left}" y="${y}" width="${width}" height="${bar}" fill="none" stroke="#cccccc"/>` +
             bar_of(l.spans, y) + ticks(l.promotions, y + bar, "#222222") + ticks(l.steals, y + bar + 5, "#d55e00") +
             ticks(l.beats, y + bar + 10, "#b0b0b0");
    });
    document.getElementById("lanes").innerHTML = out;
    const power = Math.pow(10, Math.floor(Math.log10((to - from) / 8)));
    const step = power * [1, 2, 5, 10].find((f) => (to - from) / (f * power) <= 8);
    let lines = "";
    for (let n = Math.ceil(from / step); n * step <= to; ++n) {
      const x = left + (n * step - from) / (to - from) * width;
      lines += `<line x1="${x}" y1="${top}" x2="${x}" y2="${bottom}" stroke="#dddddd"/>`;
      if (x < right - 12) lines += `<text x="${x}" y="${bottom + 16}" text-anchor="middle">${shown(n * step)}</text>`;
    }
    document.getElementById("axis").innerHTML = lines;
  }
  function show(begin, end) {
    const length = Math.min(Math.max(end - begin, 10), data.end);
    from = Math.min(Math.max(begin, 0), data.end - length);
    to = from + length;
    draw();
  }

  const time_at = (event) => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * 1000;
    return from + Math.min(Math.max((x - left) / width, 0), 1) * (to - from);
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = time_at(event), factor = event.deltaY > 0 ? 1.25 : 0.8;
    show(at - (at - from) * factor, at + (to - at) * factor);
  }, { passive: false });
  let held = null;
  svg.addEventListener("pointerdown", (event) => { held = time_at(event); svg.setPointerCapture(event.pointerId); });
  svg.addEventListener("pointerup", () => { held = null; });
  svg.addEventListener("dblclick", () => show(0, data.end));
  svg.addEventListener("pointermove", (event) => {
    const at = time_at(event);
    if (held !== null) {
      show(from - (at - held), to - (at - held));
      return;
    }
    const box = svg.getBoundingClientRect();
    const row = Math.floor(((event.clientY - box.top) / box.width * 1000 - top) / lane);
    const spans = row >= 0 && row < lanes.length ? lanes[row].spans : [];
    const span = spans[first(spans, at, (x) => x.to)];
    const name = !span || span.from > at ? "" : span.what === -1 ? "looks for work" : span.what === -2 ? "asleep"
               : data.places[span.what];
    seen.textContent = name === "" ? help
                     : `${name}: ${shown(span.to - span.from)}, from ${shown(span.from)} to ${shown(span.to)}`;
  });
  svg.addEventListener("pointerleave", () => { seen.textContent = help; });
  draw();
})();
)js";

}  // namespace takt::tools
