// A reply of the API becomes elements: the panel's own templates, filled with text nodes.
// What is written here is what templates/kb/panel/answer.html writes without script.

import { connectFeedback } from "./feedback.js";
import { dayInWords } from "./moments.js";
import { codePointLength, slice } from "./offsets.js";
import { fill } from "./words.js";

const DECLINES = new Set(["decline_no_evidence", "decline_low_confidence"]);

const cloneOf = (panel, name) =>
  panel.querySelector(`template[data-template="${name}"]`).content.cloneNode(true).firstElementChild;

const slotOf = (root, name) => root.querySelector(`[data-slot="${name}"]`);

/** Where a quote stands, for people. Twin of the template filter `origin`. */
function originOf(panel, cited) {
  const path = decodeURIComponent((cited.url ?? "").split("/p/")[1]?.split(/[?#]/)[0] ?? "");
  const title = [...path.split("/").slice(0, -1), cited.doc_title].join(" / ");
  const places = [title, ...cited.heading_path.filter((heading) => heading !== cited.doc_title)];
  if (cited.page) places.push(fill(panel.dataset.sayPage, { n: cited.page }));
  if (cited.row) places.push(fill(panel.dataset.sayRow, { n: cited.row }));
  return places.join(" › ");
}

/** Whether these very words stand on the page that is on screen. */
const standsHere = (article, reply, cited) =>
  article !== null &&
  cited.doc_id === reply.doc_id &&
  slice(article.textContent, cited.char_start, cited.char_end) === cited.quote;

/** The spans of a reply that can be marked in `article`. */
export const spansIn = (article, reply) =>
  reply.citations
    .filter((cited) => standsHere(article, reply, cited))
    .map((cited) => ({ start: cited.char_start, end: cited.char_end, number: cited.n }));

/** The answer's element, complete but not yet in the document. */
export function renderAnswer({ panel, article, question, reply }) {
  const answer = cloneOf(panel, "answer");
  const declined = DECLINES.has(reply.answer_kind);
  answer.dataset.kind = reply.answer_kind;
  slotOf(answer, "question").textContent = question;
  slotOf(answer, "verdict").textContent = verdictOf(panel, reply);
  if (reply.confidence_score !== null) {
    slotOf(answer, "confidence").textContent = fill(panel.dataset.sayConfidence, {
      value: reply.confidence_score.toFixed(2),
    });
  }
  slotOf(answer, "said").append(
    ...(declined ? [paragraph(reply.answer_text)] : claimsOf(panel, reply)),
  );
  slotOf(answer, "missing").textContent = reply.missing.join(", ");
  slotOf(answer, "missing-note").hidden = reply.missing.length === 0;
  slotOf(answer, "stale-note").hidden = !reply.stale;
  slotOf(answer, "degraded-note").hidden = !reply.degraded.includes("vectors");
  const left = slotOf(answer, "left");
  // Few of them are said beside the box.
  left.hidden = reply.remaining === null || reply.remaining <= Number(panel.dataset.scarce);
  left.textContent = fill(panel.dataset.sayLeft, { n: reply.remaining, total: panel.dataset.total });
  const notes = slotOf(answer, "notes");
  notes.hidden = reply.citations.length === 0;
  notes.append(...reply.citations.map((cited) => noteOf(panel, article, reply, cited)));
  connectFeedback(slotOf(answer, "feedback"), reply.question_id);
  return answer;
}

function verdictOf(panel, reply) {
  const names = panel.querySelector('template[data-template="verdicts"]').content;
  const key = reply.reason ?? reply.answer_kind;
  return names.querySelector(`[data-key="${key}"]`)?.textContent ?? "";
}

function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}

function claimsOf(panel, reply) {
  return reply.claims.flatMap((claim) => {
    const element = document.createElement("span");
    element.className = "claim";
    element.dataset.n = claim.citations.join(" ");
    element.append(claim.text, ...claim.citations.map((number) => refOf(panel, reply, number)));
    return [element, " "];
  });
}

function refOf(panel, reply, number) {
  const cited = reply.citations.find((citation) => citation.n === number);
  const ref = document.createElement("a");
  ref.className = "ref";
  ref.href = `#fn-${number}`;
  ref.dataset.n = number;
  ref.textContent = number;
  ref.setAttribute(
    "aria-label",
    [
      fill(panel.dataset.saySource, { n: number, total: reply.citations.length }),
      cited.doc_title,
      ...cited.heading_path.slice(-1),
    ].join(", "),
  );
  const raised = document.createElement("sup");
  raised.append(ref);
  return raised;
}

function noteOf(panel, article, reply, cited) {
  const note = cloneOf(panel, "note");
  const here = standsHere(article, reply, cited);
  note.id = `fn-${cited.n}`;
  Object.assign(note.dataset, {
    n: cited.n,
    url: cited.url,
    before: cited.before,
    after: cited.after,
    columns: (cited.columns ?? []).join(" · "),
  });
  slotOf(note, "number").textContent = cited.n;
  slotOf(note, "quote").textContent = cited.quote;
  slotOf(note, "origin").textContent = originOf(panel, cited);
  slotOf(note, "dated").textContent = cited.revised_at ? dayInWords(cited.revised_at) : "";
  const open = slotOf(note, "open");
  open.hidden = !here && cited.url === null;
  open.href = here ? `#cite-${cited.n}` : cited.url;
  open.textContent = here ? panel.dataset.sayHere : panel.dataset.sayThere;
  return note;
}

/** Whether a question may be sent: code points, as the server counts them. */
export const questionLength = (text) => codePointLength(text.trim());

/** A passage that was cut within a sentence says so at its ends. Rows are cut between rows. */
const cutBefore = (text) => (/^\s*\p{Ll}/u.test(text) ? `… ${text.trimStart()}` : text);
const cutAfter = (text) => (/[\p{L}\p{N},;:–-]\s*$/u.test(text) ? `${text.trimEnd()} …` : text);

/** Cells of a table apart from each other, as in a claim. */
const asRow = (text) => text.replaceAll("\t", " · ");

/**
 * The card of a footnote: its passage in context, and the way to it. Filled from its note. Where
 * the words themselves are lit in the page, the passage is not repeated.
 */
export function renderCard(panel, note, wordsAreInView) {
  const card = cloneOf(panel, "card");
  const [title, ...path] = slotOf(note, "origin").textContent.split(" › ");
  slotOf(card, "title").textContent = title;
  slotOf(card, "path").textContent = path.join(" › ");
  slotOf(card, "passage").hidden = wordsAreInView;
  slotOf(card, "columns").textContent = note.dataset.columns ?? "";
  slotOf(card, "columns").hidden = wordsAreInView || !note.dataset.columns;
  const quote = slotOf(note, "quote").textContent;
  const { before, after } = note.dataset;
  const isRow = quote.includes("\t");
  slotOf(card, "before").textContent = isRow ? asRow(before) : cutBefore(before);
  slotOf(card, "quote").textContent = asRow(quote);
  slotOf(card, "after").textContent = isRow ? asRow(after) : cutAfter(after);
  slotOf(card, "dated").textContent = slotOf(note, "dated").textContent;
  const open = slotOf(note, "open");
  slotOf(card, "open").textContent = open.textContent.trim();
  slotOf(card, "open").href = open.getAttribute("href");
  return card;
}
