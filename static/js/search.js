// The search box: shows the best pages while one types. Without this its form leads to the results.
//
// Focus stays in the box; the arrows move through the list, Enter opens what is chosen or, with
// nothing chosen, all results. Words become text nodes, never HTML.

import { toUtf16 } from "./offsets.js";
import { fill } from "./words.js";

const PAUSE = 140; // ms without a key before the server is asked

const form = document.querySelector("[data-search]");
if (form) takeOver(form);

function takeOver(form) {
  const box = form.elements.namedItem("q");
  const sheet = form.querySelector("[data-sheet]");
  const list = form.querySelector("[role=listbox]");
  const note = form.querySelector("[data-note]");
  const status = form.querySelector("[data-found-status]");
  const options = () => [...list.children];
  let asking = null; // the request under way
  let pause = 0;
  let shown = ""; // the query that the sheet is about
  let chosen = -1;

  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-controls", list.id);
  box.setAttribute("aria-expanded", "false");
  box.addEventListener("input", () => {
    stop();
    pause = setTimeout(look, PAUSE);
  });
  box.addEventListener("keydown", (event) => {
    if (!event.isComposing) onKey(event);
  });
  box.addEventListener("focus", () => {
    if (isCurrent()) open();
  });
  // A press on a result must not take the focus, or the sheet would be gone before the click.
  sheet.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse") event.preventDefault();
  });
  form.addEventListener("focusout", (event) => {
    if (!form.contains(event.relatedTarget)) close();
  });
  form.addEventListener("submit", (event) => {
    stop();
    if (box.value.trim() === "") event.preventDefault();
  });

  const isCurrent = () => shown !== "" && shown === box.value.trim();

  async function look() {
    const query = box.value.trim();
    stop();
    if (query === "") {
      shown = "";
      close();
      return;
    }
    if (isCurrent()) {
      open();
      return;
    }
    const request = new AbortController();
    asking = request;
    try {
      const address = `${form.dataset.suggestions}?${new URLSearchParams({ q: query })}`;
      const response = await fetch(address, {
        headers: { Accept: "application/json" },
        signal: request.signal,
      });
      if (!response.ok) throw new Error(String(response.status));
      show(query, await response.json());
    } catch (error) {
      if (!request.signal.aborted) show("", { results: [], message: form.dataset.sayOffline });
    } finally {
      if (asking === request) asking = null;
    }
  }

  /** What is still under way is no longer wanted. */
  function stop() {
    clearTimeout(pause);
    asking?.abort();
    asking = null;
  }

  function show(query, found) {
    shown = query;
    const listed = found.results.map((result) => resultOf(form, result));
    if (listed.length > 0) {
      const all = `${form.getAttribute("action")}?${new URLSearchParams({ q: query })}`;
      listed.push(leadOf(form, fill(form.dataset.sayAll, { query }), all));
    }
    if (found.ask_url) {
      listed.push(leadOf(form, fill(form.dataset.sayAsk, { query }), found.ask_url));
    }
    listed.forEach((option, at) => {
      option.id = `find-${at}`;
    });
    list.replaceChildren(...listed);
    list.hidden = listed.length === 0;
    note.textContent = found.message ?? "";
    note.hidden = !found.message;
    status.textContent = found.message ?? fill(form.dataset.sayFound, { n: found.results.length });
    if (document.activeElement === box) open();
  }

  function open() {
    choose(-1);
    sheet.hidden = false;
    box.setAttribute("aria-expanded", String(!list.hidden));
  }

  function close() {
    choose(-1);
    sheet.hidden = true;
    box.setAttribute("aria-expanded", "false");
  }

  function onKey(event) {
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        if (sheet.hidden) {
          look();
          return;
        }
        // One place more than there are options: the box itself.
        const places = options().length + 1;
        const step = event.key === "ArrowDown" ? 1 : -1;
        choose(((chosen + 1 + step + places) % places) - 1);
        return;
      }
      case "Enter":
        if (chosen >= 0 && !sheet.hidden) {
          event.preventDefault();
          stop();
          options()[chosen].click();
        }
        return;
      case "Escape":
        if (sheet.hidden) return;
        event.preventDefault(); // the words in the box stay
        stop();
        close();
    }
  }

  function choose(at) {
    chosen = at;
    options().forEach((option, place) => {
      option.setAttribute("aria-selected", String(place === at));
    });
    const option = options()[at];
    if (option === undefined) {
      box.removeAttribute("aria-activedescendant");
      return;
    }
    box.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }
}

function resultOf(form, result) {
  const option = cloneOf(form, "result");
  option.href = result.url;
  slotOf(option, "title").textContent = result.title;
  const folders = result.slug.split("/").slice(0, -1).join(" / ");
  slotOf(option, "path").textContent = [folders, ...result.heading_path].filter(Boolean).join(" › ");
  const words = slotOf(option, "words");
  if (result.language) words.lang = result.language;
  words.append(...piecesOf(result.snippet, result.marks));
  return option;
}

function leadOf(form, words, href) {
  const option = cloneOf(form, "lead");
  option.href = href;
  slotOf(option, "title").textContent = words;
  return option;
}

const cloneOf = (form, name) =>
  form.querySelector(`template[data-template="${name}"]`).content.cloneNode(true).firstElementChild;

const slotOf = (root, name) => root.querySelector(`[data-slot="${name}"]`);

/** The snippet as text and marked words. `marks` count code points. */
function piecesOf(snippet, marks) {
  const pieces = [];
  let at = 0;
  for (const mark of marks) {
    const [start, end] = mark.map((place) => toUtf16(snippet, place));
    const found = document.createElement("mark");
    found.textContent = snippet.slice(start, end);
    pieces.push(snippet.slice(at, start), found);
    at = end;
  }
  pieces.push(snippet.slice(at));
  return pieces;
}
