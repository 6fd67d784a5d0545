// The table of contents is a <details> that stays in view. With script it closes after use and
// says where the reader is.

const contents = document.querySelector("[data-contents]");
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
  contents.querySelector("summary").focus();
});
document.addEventListener("click", (event) => {
  if (contents.open && !contents.contains(event.target)) contents.open = false;
});

function showPlace() {
  const top = contents.getBoundingClientRect().bottom + 24;
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
showPlace();
