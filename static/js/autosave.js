// Keeps what is being written on the server, a few seconds after the last key and at least every
// few seconds while keys are pressed. It is never a revision: it is offered when its writer comes back.

import { fill } from "./words.js";

const PAUSE = 2_000;
const LONGEST = 10_000;
const FIELDS = ["title", "source", "source_format", "base_revision"];

/** Returns a function that ends it, so that nothing is kept after what was saved. */
export function autosave(form, say) {
  let timer = 0;
  let waitingSince = 0;
  let flight = null;
  let isOver = false;
  let keptWords = words();

  function words() {
    const body = new FormData();
    for (const name of FIELDS) body.set(name, form.elements.namedItem(name)?.value ?? "");
    return new URLSearchParams(body).toString();
  }

  function wait() {
    waitingSince ||= Date.now();
    clearTimeout(timer);
    timer = setTimeout(keep, Math.max(0, Math.min(PAUSE, waitingSince + LONGEST - Date.now())));
  }

  async function keep() {
    clearTimeout(timer);
    waitingSince = 0;
    const now = words();
    if (isOver || now === keptWords) return;
    if (flight) return wait();
    flight = new AbortController();
    try {
      const response = await fetch(form.dataset.autosave, {
        method: "POST",
        headers: {
          "Content-Type": "application/x-www-form-urlencoded",
          "X-CSRFToken": form.elements.namedItem("csrfmiddlewaretoken").value,
        },
        body: now,
        signal: flight.signal,
      });
      if (!response.ok) throw new Error(String(response.status));
      keptWords = now;
      const { saved_at: at } = await response.json();
      const time = new Date(at).toLocaleTimeString(document.documentElement.lang, {
        hour: "2-digit",
        minute: "2-digit",
      });
      say(fill(form.dataset.sayKept, { time }));
    } catch {
      if (!isOver) say(form.dataset.sayNotKept);
    } finally {
      flight = null;
    }
  }

  form.addEventListener("input", wait);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") keep();
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
    flight?.abort();
  };
}
