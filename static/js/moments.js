// A moment that the server wrote in UTC, in the reader's own time and language.

const TODAY = { hour: "2-digit", minute: "2-digit" };
const ANOTHER_DAY = { day: "numeric", month: "short", ...TODAY };

// The page's language, as it is written where the reader lives.
const { lang } = document.documentElement;
const tongue = navigator.languages.find((one) => one.split("-")[0] === lang.split("-")[0]) ?? lang;

/** "14:05", or "30 Nov, 14:05" where it is not today. */
export function momentInWords(iso) {
  const moment = new Date(iso);
  const isToday = moment.toDateString() === new Date().toDateString();
  return moment.toLocaleString(tongue, isToday ? TODAY : ANOTHER_DAY);
}

for (const time of document.querySelectorAll("time[data-moment]")) {
  time.title = time.textContent;
  time.textContent = momentInWords(time.dateTime);
}
