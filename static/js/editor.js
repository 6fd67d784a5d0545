// The editor's comforts. The preview itself needs no script: its button posts the form into a
// frame, where the server shows the text by the code that renders the page.

import { autosave } from "./autosave.js";
import { takeImages } from "./images.js";

const form = document.querySelector("[data-editor]");
const source = form.elements.namedItem("source");
const write = form.querySelector("[data-write]");
const preview = form.querySelector("[data-preview]");
const [writeTab, previewTab] = form.querySelectorAll("[data-tab]");

writeTab.hidden = false;
preview.hidden = true;
writeTab.addEventListener("click", () => turnTo(writeTab));
previewTab.addEventListener("click", () => turnTo(previewTab));

function turnTo(tab) {
  write.hidden = tab === previewTab;
  preview.hidden = tab === writeTab;
  for (const each of [writeTab, previewTab]) each.setAttribute("aria-pressed", String(each === tab));
  if (tab === writeTab) source.focus();
}

// Leaving with unsaved words asks first; saving does not.
const written = () =>
  JSON.stringify([...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken"));
const saved = form.hasAttribute("data-unsaved") ? "" : written();
let isSaving = false;
const status = form.querySelector("[data-editor-status]");
const say = (sentence) => {
  status.textContent = sentence;
};
const endAutosave = autosave(form, say);
takeImages(form, source, say);
form.addEventListener("submit", (event) => {
  isSaving = event.submitter !== previewTab;
  if (isSaving) endAutosave();
});
window.addEventListener("beforeunload", (event) => {
  if (!isSaving && written() !== saved) event.preventDefault();
});

source.addEventListener("keydown", (event) => {
  if (event.key !== "s" || !(event.metaKey || event.ctrlKey)) return;
  event.preventDefault();
  form.requestSubmit();
});

// Groups matter for one kind of visibility alone.
const groups = form.querySelector("[data-field=allowed_groups]");
const visibility = form.elements.namedItem("visibility");
const showGroups = () => {
  groups.hidden = visibility.value !== "role_restricted";
};
visibility.addEventListener("change", showGroups);
showGroups();
