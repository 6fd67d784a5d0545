// "Ask this page": takes over the form that the server rendered, and asks without a reload.

import { questionLength, renderAnswer, spansIn } from "./answer.js";
import { markArrival } from "./arrival.js";
import { besideThePage, Footnotes } from "./footnotes.js";
import { markSpans, unmark } from "./marks.js";
import { momentInWords } from "./moments.js";
import { fill } from "./words.js";

const panel = document.querySelector(".panel");
const article = document.querySelector("#page");
const form = panel.querySelector(".ask-form");
const status = panel.querySelector("[data-status]");
const place = panel.querySelector("[data-answer]");
const footnotes = new Footnotes(panel, article);

footnotes.connect();
if (article) markArrival(article);
hideWayToPanel();
if (form) takeOver();

/** Where the panel is in view, no button leads to it. */
function hideWayToPanel() {
  const way = document.querySelector(".to-panel");
  if (!way) return;
  const watched = new IntersectionObserver(([seen]) => {
    way.classList.toggle("arrived", seen.isIntersecting);
  });
  watched.observe(panel);
}

function takeOver() {
  const box = form.elements.namedItem("question");
  const button = form.querySelector("button[type=submit]");
  const limit = Number(box.dataset.limit);

  form.noValidate = true;
  box.addEventListener("input", () => showCount(questionLength(box.value), limit));
  box.addEventListener("keydown", (event) => {
    // An Enter that ends the composing of a word is not the asker's.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    const question = box.value.trim();
    if (question === "") {
      box.focus();
      return;
    }
    button.disabled = true;
    say(panel.dataset.sayReading, "busy");
    try {
      if (await ask(question)) box.value = "";
    } finally {
      button.disabled = false;
    }
  });
}

// One key per question until it has been answered: a question that is sent again because the
// connection broke is the same question to the server, and counts once.
let unanswered = { question: "", key: "" };

/** Whether an answer (or a decline) is on screen now. */
async function ask(question) {
  let response;
  if (unanswered.question !== question) unanswered = { question, key: newKey() };
  try {
    response = await fetch(panel.dataset.askUrl, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        "Idempotency-Key": unanswered.key,
        "X-CSRFToken": form.elements.namedItem("csrfmiddlewaretoken").value,
      },
      body: JSON.stringify({ question }),
    });
  } catch {
    say(panel.dataset.sayOffline, "trouble");
    return false;
  }
  const body = await response.json().catch(() => null);
  if (response.status === 429 && secondsToWait(response) > A_WHILE) {
    showSpent(secondsToWait(response));
    return false;
  }
  if (!response.ok || body === null) {
    say(troubleOf(response, body), "trouble");
    return false;
  }
  unanswered = { question: "", key: "" };
  show(question, body);
  return true;
}

const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

/** The day's questions are asked. One sentence says so, and no earlier answer stands below it. */
function showSpent(seconds) {
  const { dataset } = panel;
  dataset.freesAt = new Date(Date.now() + seconds * 1000).toISOString();
  clear();
  form.querySelector("[data-allowance]").hidden = true;
  say(spent(), "trouble");
}

function clear() {
  footnotes.close();
  if (article) unmark(article);
  place.replaceChildren();
}

function show(question, reply) {
  clear();
  const answer = renderAnswer({ panel, article, question, reply });
  place.append(answer);
  if (article) markSpans(article, spansIn(article, reply));
  footnotes.connect();
  panel.querySelector("#ask-hint")?.setAttribute("hidden", "");
  say(panel.dataset.sayDone, "out-of-sight");
  if (reply.remaining !== null) showAllowance(reply.remaining);
  if (reply.question_id) rememberAs(reply.question_id);
  answer.focus({ preventScroll: true });
  if (besideThePage.matches) panel.querySelector(".panel-body").scrollTop = 0;
  else answer.scrollIntoView({ block: "start" });
}

/** A reload, or the address copied, shows this answer again. */
function rememberAs(questionId) {
  const address = new URL(location.href);
  address.searchParams.delete("cite");
  address.searchParams.set("asked", questionId);
  address.hash = "";
  history.replaceState(history.state, "", address);
}

function troubleOf(response, body) {
  const { dataset } = panel;
  switch (response.status) {
    case 400:
      return typeof body?.detail === "string" ? body.detail : dataset.sayTrouble;
    case 401:
    case 403:
      return dataset.saySignedOut;
    case 404:
      return dataset.sayGone;
    case 409: // the first try is still being answered
      return fill(dataset.sayBusy, { wait: duration(5) });
    case 429:
      return fill(dataset.sayBusy, { wait: duration(secondsToWait(response)) });
    default:
      return dataset.sayTrouble;
  }
}

const A_WHILE = 300; // seconds; who must wait longer has no questions left

const secondsToWait = (response) => Number(response.headers.get("Retry-After")) || 60;

function duration(seconds) {
  const [unit, size] = seconds >= 90 ? ["minute", 60] : ["second", 1];
  return new Intl.NumberFormat(document.documentElement.lang, {
    style: "unit",
    unit,
    unitDisplay: "long",
  }).format(Math.ceil(seconds / size));
}

function say(sentence, manner) {
  status.className = `status ${manner}`;
  status.textContent = sentence;
}

const DAY = 24 * 60 * 60 * 1000; // ms

/** Beside the box, once few questions are left: how many, or when the next one is free. */
function showAllowance(left) {
  const { dataset } = panel;
  // The first ask of a day is the first to leave it.
  dataset.freesAt ||= new Date(Date.now() + DAY).toISOString();
  const line = form.querySelector("[data-allowance]");
  line.hidden = left > Number(dataset.scarce);
  line.textContent =
    left > 0
      ? fill(dataset.sayLeft, { n: left, total: dataset.total })
      : spent();
}

const spent = () =>
  fill(panel.dataset.saySpent, {
    total: panel.dataset.total,
    when: momentInWords(panel.dataset.freesAt),
  });

function showCount(length, limit) {
  const count = form.querySelector("[data-count]");
  count.hidden = length < limit * 0.8;
  count.textContent = `${length} / ${limit}`;
  count.classList.toggle("over", length > limit);
}
