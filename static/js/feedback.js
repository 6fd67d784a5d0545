// Thumbs under a reply: sends the vote in place. Without this the same form goes to the server.

const PRESSED = "aria-pressed";

document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-feedback]");
  if (form === null) return;
  event.preventDefault();
  send(form, event.submitter?.name === "vote" ? event.submitter.value : form.dataset.vote);
});

/** A copy of the form of the templates becomes that of one question. */
export function connectFeedback(form, questionId) {
  const nil = "00000000-0000-0000-0000-000000000000";
  form.action = form.action.replace(nil, questionId);
  form.dataset.api = form.dataset.api.replace(nil, questionId);
}

async function send(form, vote) {
  if (!vote || form.getAttribute("aria-busy") === "true") return;
  const said = form.querySelector("[data-feedback-said]");
  const comment = form.elements.namedItem("comment").value;
  form.setAttribute("aria-busy", "true");
  said.textContent = "";
  try {
    const response = await fetch(form.dataset.api, {
      method: "POST",
      headers: {
        Accept: "application/json",
        "Content-Type": "application/json",
        "X-CSRFToken": form.elements.namedItem("csrfmiddlewaretoken").value,
      },
      body: JSON.stringify({ vote, comment }),
    });
    const body = await response.json().catch(() => null);
    if (response.ok) show(form, vote);
    said.textContent = response.ok
      ? form.dataset.sayThanks
      : (response.status === 400 && body?.detail) || form.dataset.sayTrouble;
  } catch {
    said.textContent = form.dataset.sayTrouble;
  } finally {
    form.removeAttribute("aria-busy");
  }
}

function show(form, vote) {
  form.dataset.vote = vote;
  for (const button of form.querySelectorAll("button[name=vote]")) {
    button.setAttribute(PRESSED, String(button.value === vote));
  }
  // There is a vote now, so a comment can be sent alone.
  form.querySelector("[data-send]").hidden = false;
  if (vote === "down") form.querySelector("details").open = true;
}
