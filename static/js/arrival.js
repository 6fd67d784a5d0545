// A link from elsewhere to words on this page: `#cite=120-180,3` marks code points 120 to 180 of
// revision 3. The server does the same for `?cite=`, where no script runs.

import { ARRIVAL, markSpans, piecesOf } from "./marks.js";

const ADDRESS = /^#cite=(\d+)-(\d+)(?:,(\d+))?$/;

export function markArrival(article) {
  const match = ADDRESS.exec(location.hash);
  if (match) {
    const [start, end, revision] = match.slice(1).map(Number);
    // Offsets count the text of one revision: in another they would mark other words.
    if (match[3] && revision !== Number(article.dataset.revision)) return;
    markSpans(article, [{ start, end, number: ARRIVAL }]);
  }
  const pieces = piecesOf(article, ARRIVAL);
  for (const piece of pieces) piece.classList.add("arrived");
  pieces[0]?.scrollIntoView({ block: "center" });
}
