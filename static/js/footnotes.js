// Footnote numbers, notes and marked words know each other. Pointing at or focusing one lights the
// others: a number marks its words in the page and opens a card, marked words show their claim.
// Everything is read from elements, so an answer rendered by the server works the same.

import { renderCard } from "./answer.js";
import { ARRIVAL, numbersOf, piecesOf } from "./marks.js";

const GRACE = 220; // ms to move the pointer from a number to its card
const MARGIN = 12; // px between a card and the window's edge
const GAP = 6; // px between a card and what it belongs to

/** Whether the panel stands beside the page, so that both are in view. As in reading.css. */
export const besideThePage = matchMedia("(min-width: 62.01rem)");
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

export class Footnotes {
  #panel;
  #article;
  #shown = null; // the card or gloss on screen, with what it belongs to
  #closing = 0;
  #muted = false; // focus comes back to a number after Escape: do not open again

  constructor(panel, article) {
    this.#panel = panel;
    this.#article = article;
    for (const root of article ? [panel, article] : [panel]) {
      root.addEventListener("pointerover", (event) => this.#over(event));
      root.addEventListener("pointerout", (event) => this.#out(event));
      root.addEventListener("focusin", (event) => this.#focus(event));
      root.addEventListener("focusout", (event) => this.#blur(event));
      root.addEventListener("click", (event) => this.#click(event));
    }
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#escape();
    });
    document.addEventListener("pointerdown", (event) => {
      if (this.#shown && !this.#belongs(event.target)) this.close();
    });
    // A phone's keyboard that goes away resizes the window too: what was just opened stays open.
    window.addEventListener("resize", () => this.#follow());
    besideThePage.addEventListener("change", () => this.#renew());
    document.addEventListener("scroll", () => this.#follow(), { capture: true, passive: true });
  }

  /** Make the marked words reachable by keyboard and named by their claims. Call after marking. */
  connect() {
    this.#panel.querySelectorAll(".claim").forEach((claim, at) => {
      claim.id = `claim-${at + 1}`;
    });
    for (const button of this.#panel.querySelectorAll("[data-copy]")) button.hidden = false;
    const seen = new Set();
    for (const piece of this.#article?.querySelectorAll("mark.cite") ?? []) {
      const fresh = numbersOf(piece).filter((number) => number !== ARRIVAL && !seen.has(number));
      if (fresh.length === 0) continue;
      fresh.forEach((number) => seen.add(number));
      const claims = fresh.flatMap((number) => this.#claims(number));
      piece.setAttribute("aria-describedby", claims.map((claim) => claim.id).join(" "));
      // Words inside a link are reached through it.
      if (!piece.closest("a")) piece.tabIndex = 0;
    }
  }

  close() {
    clearTimeout(this.#closing);
    if (this.#shown?.place) this.#shown.element.remove();
    this.#shown = null;
    this.#light([]);
  }

  // What was pointed at: a footnote's number or note in the panel, or marked words in the page.
  #target(node) {
    const element = node instanceof Element ? node : node.parentElement;
    const ref = element.closest(".ref, .note");
    if (ref) return { anchor: ref, numbers: [Number(ref.dataset.n)] };
    const mark = element.closest("mark.cite") ?? element.closest("a")?.querySelector("mark.cite");
    if (!mark || !this.#article?.contains(mark)) return null;
    const numbers = numbersOf(mark).filter((number) => number !== ARRIVAL);
    return numbers.length > 0 ? { anchor: mark, numbers, isMark: true } : null;
  }

  #over(event) {
    if (event.pointerType === "touch") return;
    if (this.#shown?.element.contains(event.target)) {
      clearTimeout(this.#closing);
      return;
    }
    const target = this.#target(event.target);
    if (target) this.#show(target);
  }

  #out(event) {
    if (event.pointerType === "touch" || !this.#shown || this.#shown.pinned) return;
    if (event.relatedTarget && this.#belongs(event.relatedTarget)) return;
    this.#closeSoon();
  }

  #focus(event) {
    if (this.#muted || this.#shown?.element.contains(event.target)) return;
    const target = this.#target(event.target);
    if (target) this.#show(target);
  }

  #blur(event) {
    if (!this.#shown) return;
    if (event.relatedTarget && this.#belongs(event.relatedTarget)) return;
    this.#closeSoon();
  }

  #click(event) {
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      this.#copy(copy);
      return;
    }
    const target = this.#target(event.target);
    if (!target || (target.isMark && event.target.closest("a"))) return;
    const isLinkOfNote = target.anchor.matches(".note") && event.target.closest("a");
    if (target.anchor.matches(".ref")) event.preventDefault();
    this.#show(target);
    if (this.#shown) this.#shown.pinned = true;
    const pieces = piecesOf(this.#article ?? this.#panel, target.numbers[0]);
    if (pieces.length === 0 || target.isMark) return;
    if (isLinkOfNote) {
      event.preventDefault();
      this.close();
      this.#light(target.numbers);
      this.#bringIntoView(pieces[0]);
      pieces[0].focus({ preventScroll: true });
    } else if (besideThePage.matches) {
      this.#bringIntoView(pieces[0]);
    }
  }

  #escape() {
    if (!this.#shown) return;
    const { element, anchor } = this.#shown;
    const wasInside = element.contains(document.activeElement);
    this.close();
    if (!wasInside) return;
    this.#muted = true;
    anchor.focus();
    this.#muted = false;
  }

  #belongs(node) {
    return this.#shown.element.contains(node) || this.#shown.anchor.contains(node);
  }

  /** What is shown, as it looks in the window's new layout. */
  #renew() {
    if (!this.#shown) return;
    const { anchor, pinned } = this.#shown;
    this.#escape();
    const target = this.#target(anchor);
    if (target) this.#show(target);
    if (this.#shown) this.#shown.pinned = pinned;
  }

  #closeSoon() {
    clearTimeout(this.#closing);
    this.#closing = setTimeout(() => this.close(), GRACE);
  }

  #show(target) {
    clearTimeout(this.#closing);
    if (this.#shown?.anchor === target.anchor) return;
    this.close();
    this.#light(target.numbers);
    if (target.isMark) this.#showGloss(target);
    else this.#showCard(target);
  }

  /** Light every mark, number, note and claim of these footnotes, and nothing else. */
  #light(numbers) {
    const wanted = new Set(numbers.map(String));
    for (const root of this.#article ? [this.#panel, this.#article] : [this.#panel]) {
      for (const element of root.querySelectorAll("[data-n]")) {
        const isLive = element.dataset.n.split(" ").some((number) => wanted.has(number));
        element.classList.toggle("live", isLive);
      }
    }
  }

  #showCard({ anchor, numbers: [number] }) {
    const note = this.#panel.querySelector(`.note[data-n="${number}"]`);
    const [piece] = this.#article ? piecesOf(this.#article, number) : [];
    const wordsAreInView = piece !== undefined && besideThePage.matches;
    if (wordsAreInView) this.#bringIntoView(piece);
    if (anchor === note) {
      this.#shown = { anchor, element: note }; // a note says it all itself
      return;
    }
    const element = renderCard(this.#panel, note, wordsAreInView);
    element.setAttribute("aria-label", anchor.getAttribute("aria-label"));
    // Right behind the number, so that Tab goes from one to the other.
    anchor.parentElement.after(element);
    this.#shown = { anchor, element, place: placeCard };
    this.#follow();
  }

  #showGloss({ anchor, numbers }) {
    const element = document.createElement("div");
    element.className = "gloss";
    for (const number of numbers) {
      for (const claim of this.#claims(number)) element.append(glossLine(number, claim));
    }
    if (!besideThePage.matches) element.append(backLink(this.#panel.dataset.sayBack));
    this.#article.after(element);
    this.#shown = { anchor, element, place: placeGloss };
    this.#follow();
  }

  /** Keep what is shown where its anchor is, while the page or the panel scrolls. */
  #follow() {
    this.#shown?.place?.(this.#shown.element, this.#shown.anchor);
  }

  #claims(number) {
    return [...this.#panel.querySelectorAll(`.claim[data-n~="${Number(number)}"]`)];
  }

  #bringIntoView(piece) {
    const { top, bottom } = piece.getBoundingClientRect();
    const bar = document.querySelector(".bar")?.offsetHeight ?? 0;
    if (top > bar + MARGIN && bottom < innerHeight - MARGIN) return;
    piece.scrollIntoView({ block: "center", behavior: stillness.matches ? "auto" : "smooth" });
  }

  async #copy(button) {
    const note = button.closest(".note");
    const quote = note.querySelector('[data-slot="quote"]').textContent;
    const origin = note.querySelector('[data-slot="origin"]').textContent;
    const url = new URL(note.dataset.url, location.href).href;
    await navigator.clipboard.writeText(`“${quote}”\n${origin}\n${url}`);
    const label = button.textContent;
    button.textContent = this.#panel.dataset.sayCopied;
    setTimeout(() => {
      button.textContent = label;
    }, 1600);
  }
}

const clamp = (value, low, high) => Math.max(low, Math.min(value, high));

/** Below its number, or above where there is more room; never outside the window. */
function placeCard(card, anchor) {
  const { left, top, bottom } = anchor.getBoundingClientRect();
  const below = innerHeight - bottom;
  const isBelow = below > card.offsetHeight + MARGIN || below > top;
  moveTo(card, left - 24, isBelow ? bottom + GAP : top - card.offsetHeight - GAP);
}

/** Below the last line of the marked words, or above the first. */
function placeGloss(gloss, anchor) {
  const lines = [...anchor.getClientRects()];
  const [first, last] = [lines[0], lines.at(-1)];
  const isBelow = last.bottom + gloss.offsetHeight + MARGIN < innerHeight;
  moveTo(gloss, first.left, isBelow ? last.bottom + GAP : first.top - gloss.offsetHeight - GAP);
}

function moveTo(element, left, top) {
  element.style.left = `${clamp(left, MARGIN, innerWidth - element.offsetWidth - MARGIN)}px`;
  element.style.top = `${clamp(top, MARGIN, innerHeight - element.offsetHeight - MARGIN)}px`;
}

function glossLine(number, claim) {
  const line = document.createElement("p");
  const label = document.createElement("b");
  label.textContent = number;
  const words = [...claim.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  line.append(label, words.map((node) => node.data).join(""));
  line.dir = "auto";
  return line;
}

function backLink(label) {
  const line = document.createElement("p");
  const link = document.createElement("a");
  link.href = "#answer";
  link.textContent = label;
  line.append(link);
  return line;
}
