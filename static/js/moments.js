// A moment that the server wrote in UTC, in the reader's own time and language.

const TODAY = { hour: "2-digit", minute: "2-digit" };
const ANOTHER_DAY = { day: "numeric", month: "short", ...TODAY };

/** "14:05", or "30 Nov, 14:05" where it is not today. */
export function momentInWords(iso) {
  const moment = new Date(iso);
  const isToday = moment.toDateString() === new Date().toDateString();
  return moment.toLocaleString(document.documentElement.lang, isToday ? TODAY : ANOTHER_DAY);
}

for (const time of document.querySelectorAll("time[data-moment]")) {
  time.title = time.textContent;
  time.textContent = momentInWords(time.dateTime);
}
