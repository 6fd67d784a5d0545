// The table of contents is a <details> that stays in view. With script it closes after use and
// says where the reader is.

const contents = document.querySelector("[data-contents]");
const summary = contents.querySelector("summary");
const links = [...contents.querySelectorAll("a")];
const headings = links
  .map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))))
  .filter(Boolean);

contents.addEventListener("click", (event) => {
  if (event.target.closest("a")) contents.open = false;
});
contents.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !contents.open) return;
  contents.open = false;
  summary.focus();
});
document.addEventListener("click", (event) => {
  if (contents.open && !contents.contains(event.target)) contents.open = false;
});

function showPlace() {
  // A little below the line that a heading stops at when it is jumped to.
  const top = summary.getBoundingClientRect().bottom + 48;
  const here = headings.findLast((heading) => heading.getBoundingClientRect().top <= top);
  for (const link of links) {
    if (here && decodeURIComponent(link.hash.slice(1)) === here.id) {
      link.setAttribute("aria-current", "location");
    } else link.removeAttribute("aria-current");
  }
}

let isQueued = false;
addEventListener(
  "scroll",
  () => {
    if (isQueued) return;
    isQueued = true;
    requestAnimationFrame(() => {
      isQueued = false;
      showPlace();
    });
  },
  { passive: true },
);
contents.addEventListener("toggle", showPlace);
showPlace();
