// Images that are chosen, pasted or dropped go to the server one by one, and what shows them goes
// into the text where the cursor is.

import { fill } from "./words.js";

const isImage = (file) => file.type.startsWith("image/");

/** Takes over the form's own way, a file field whose images come in when the form is sent. */
export function takeImages(form, source, say) {
  const field = form.elements.namedItem("images");
  form.querySelector("[data-add-images]").hidden = true;
  form.querySelector("[data-paste-hint]").hidden = false;

  field.addEventListener("change", async () => {
    const files = [...field.files];
    field.value = ""; // or saving would bring them in once more
    await bring(files);
  });
  source.addEventListener("paste", (event) => {
    const files = [...event.clipboardData.files].filter(isImage);
    // A word processor copies a picture of the words along with the words.
    if (files.length === 0 || event.clipboardData.getData("text/plain")) return;
    event.preventDefault();
    bring(files);
  });
  source.addEventListener("dragover", (event) => {
    if (event.dataTransfer.types.includes("Files")) event.preventDefault();
  });
  source.addEventListener("drop", (event) => {
    const files = [...event.dataTransfer.files].filter(isImage);
    if (files.length === 0) return;
    event.preventDefault();
    bring(files);
  });

  async function bring(files) {
    for (const file of files) {
      say(fill(form.dataset.sayUploading, { name: file.name }));
      const { markup, why } = await upload(file);
      if (markup) {
        insert(markup);
        say(fill(form.dataset.sayUploaded, { name: file.name }));
      } else {
        say(fill(form.dataset.sayRefused, { name: file.name, why }));
        return;
      }
    }
  }

  async function upload(file) {
    const body = new FormData();
    body.set("file", file);
    body.set("source_format", form.elements.namedItem("source_format")?.value ?? "");
    try {
      const response = await fetch(form.dataset.files, {
        method: "POST",
        headers: { "X-CSRFToken": form.elements.namedItem("csrfmiddlewaretoken").value },
        body,
      });
      const reply = await response.json().catch(() => ({}));
      return { markup: response.ok && reply.markup, why: reply.detail ?? "" };
    } catch {
      return { markup: false, why: form.dataset.sayNotKept };
    }
  }

  /** On lines of its own below the cursor's. Undo takes it back; its description waits to be written. */
  function insert(markup) {
    const end = source.value.indexOf("\n", source.selectionEnd);
    const at = end < 0 ? source.value.length : end;
    const gap = source.value.slice(0, at).trim() ? "\n\n" : "";
    source.focus();
    source.setSelectionRange(at, at);
    // Deprecated, and the only way of writing that undo knows of.
    if (!document.execCommand("insertText", false, `${gap}${markup}\n`)) {
      source.setRangeText(`${gap}${markup}\n`, at, at, "end");
      source.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    const words = /^!\[(.*?)\]/.exec(markup) ?? /(?<=alt=")([^"]*)/.exec(markup);
    if (!words) return;
    const from = at + gap.length + markup.indexOf(words[1], words.index);
    source.setSelectionRange(from, from + words[1].length);
  }
}
