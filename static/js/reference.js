// The contents of the page about the API: folded where they stand above the text, open beside it.

const contents = document.querySelector("[data-folds]");
const isBeside = matchMedia("(width >= 56rem)");

const fold = () => {
  contents.open = isBeside.matches;
};

isBeside.addEventListener("change", fold);
fold();
