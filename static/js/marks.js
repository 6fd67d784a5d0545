// Draws citations into the article: exact ranges of its text, wrapped in <mark> elements.
// DOM calls only. kb/marking.py does the same on the server, and keeps to the same rules.

import { codePointLength, toUtf16 } from "./offsets.js";

/** The span that a link into the page points to. Footnotes count from 1. */
export const ARRIVAL = 0;

const markId = (number) => (number === ARRIVAL ? "cite" : `cite-${number}`);

const BLOCKS = new Set(
  (
    "ADDRESS ARTICLE ASIDE BLOCKQUOTE CAPTION COL COLGROUP DD DETAILS DIV DL DT FIGCAPTION FIGURE " +
    "FOOTER H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT " +
    "TH THEAD TR UL"
  ).split(" "),
);

const isBlock = (node) => BLOCKS.has(node.nodeName);

// White space between blocks is layout: a mark there would become a table cell of its own.
const isBetweenBlocks = (node) =>
  !/\S/.test(node.data) &&
  (isBlock(node.previousSibling ?? node.parentNode) || isBlock(node.nextSibling ?? node.parentNode));

/**
 * Wrap each span `{start, end, number}` (code points of `article.textContent`, half-open) in
 * `<mark class="cite" data-n="1 2">` pieces. The first piece of footnote n has the id `cite-n`, the
 * last `data-ends="n"`.
 * Words shared by several spans are one piece that names them all. Marks already there are left;
 * call `unmark` first to replace them.
 */
export function markSpans(article, spans) {
  const wanted = spans.filter(({ start, end }) => start >= 0 && start < end);
  if (wanted.length === 0) return;
  const last = Math.max(...wanted.map(({ end }) => end));
  const placed = new Set();
  const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
  const runs = [];
  let position = 0;
  while (position < last && walker.nextNode()) {
    const node = walker.currentNode;
    const start = position;
    position += codePointLength(node.data);
    const hit = wanted.filter((span) => span.start < position && span.end > start);
    if (hit.length > 0) runs.push({ node, start, end: position, hit });
  }
  // The walk is over before the first change: a mark must not disturb the counting.
  for (const run of runs) if (!isBetweenBlocks(run.node)) wrapRun(run, placed);
}

function wrapRun({ node, start, end, hit }, placed) {
  const cuts = new Set([start, end]);
  for (const span of hit) {
    if (span.start > start) cuts.add(span.start);
    if (span.end < end) cuts.add(span.end);
  }
  const edges = [...cuts].sort((a, b) => a - b);
  const text = node.data;
  const pieces = document.createDocumentFragment();
  for (let at = 0; at + 1 < edges.length; at += 1) {
    const [from, to] = [edges[at], edges[at + 1]];
    const words = text.slice(toUtf16(text, from - start), toUtf16(text, to - start));
    const here = hit.filter((span) => span.start <= from && span.end > from);
    pieces.append(here.length > 0 ? piece(words, here, to, placed) : words);
  }
  node.replaceWith(pieces);
}

const numbersIn = (spans) =>
  [...new Set(spans.map((span) => span.number))].sort((a, b) => a - b);

function piece(words, spans, right, placed) {
  const numbers = numbersIn(spans);
  const ending = numbersIn(spans.filter((span) => span.end === right && span.number !== ARRIVAL));
  const mark = document.createElement("mark");
  mark.className = "cite";
  mark.dataset.n = numbers.join(" ");
  if (ending.length > 0) mark.dataset.ends = ending.join(" ");
  mark.append(words);
  const fresh = numbers.filter((number) => !placed.has(number));
  fresh.forEach((number) => placed.add(number));
  if (fresh.length > 0) mark.id = markId(fresh[0]);
  if (fresh.length < 2) return mark;
  // One element has one id: further footnotes that begin here get an anchor without text.
  const group = document.createDocumentFragment();
  for (const number of fresh.slice(1)) {
    const anchor = document.createElement("span");
    anchor.id = markId(number);
    group.append(anchor);
  }
  group.append(mark);
  return group;
}

/** Remove every mark, whoever drew it, and leave the article as it was before. */
export function unmark(article) {
  for (const anchor of article.querySelectorAll("span[id^='cite']:empty")) anchor.remove();
  const parents = new Set();
  for (const mark of article.querySelectorAll("mark.cite")) {
    parents.add(mark.parentNode);
    mark.replaceWith(...mark.childNodes);
  }
  for (const parent of parents) parent.normalize();
}

/** All pieces of footnote `number`, in reading order. */
export function piecesOf(article, number) {
  return [...article.querySelectorAll(`mark.cite[data-n~="${Number(number)}"]`)];
}

/** The footnotes that a piece carries. */
export function numbersOf(mark) {
  return mark.dataset.n.split(" ").map(Number);
}
