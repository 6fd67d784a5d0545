// How far an import is. Asks until it is over, then shows the report that the server renders.

const EVERY = 1500; // ms between two questions
const SLOWER = 10_000; // ms, while the server does not answer

const place = document.querySelector("[data-progress]");
const bar = place.querySelector("progress");

async function ask() {
  let wait = EVERY;
  try {
    const response = await fetch(place.dataset.progress, { headers: { Accept: "application/json" } });
    if (response.status === 404) return; // signed out, or no longer an editor
    const progress = await response.json();
    bar.value = progress.done;
    bar.max = progress.total;
    place.querySelector("[data-says]").textContent = progress.says;
    place.querySelector("[data-details]").textContent = progress.details;
    if (progress.is_over) {
      location.reload();
      return;
    }
  } catch {
    wait = SLOWER;
  }
  setTimeout(ask, wait);
}

setTimeout(ask, EVERY);
