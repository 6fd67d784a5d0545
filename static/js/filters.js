// A filter applies as soon as it is chosen. Without script its form has a button.

const form = document.querySelector("[data-filters]");

if (form) {
  form.querySelector("[data-apply]").hidden = true;
  form.addEventListener("change", () => {
    // What is not chosen stays out of the address.
    for (const field of form.elements) field.disabled = field.value === "";
    form.requestSubmit();
  });
  // Coming back by the browser's own button finds the form as it was left.
  addEventListener("pageshow", () => {
    for (const field of form.elements) field.disabled = false;
  });
}
