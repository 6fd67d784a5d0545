// Moments as the server writes them, "30 Nov 2026, 14:05", in the page's language.

const { lang } = document.documentElement;
const DAY = { day: "numeric", month: "short", year: "numeric" };
const TIME = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };

const inOwnTime = new Intl.DateTimeFormat(lang, { ...DAY, ...TIME });
const inUtc = new Intl.DateTimeFormat(lang, { ...DAY, timeZone: "UTC" });

function partsOf(format, iso) {
  const parts = format.formatToParts(new Date(iso));
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

/** "30 Nov 2026, 14:05", in the reader's own time. */
export function momentInWords(iso) {
  const { day, month, year, hour, minute } = partsOf(inOwnTime, iso);
  return `${day} ${month} ${year}, ${hour}:${minute}`;
}

/** "30 Nov 2026", the server's day. Twin of the template filter `day`. */
export function dayInWords(iso) {
  const { day, month, year } = partsOf(inUtc, iso);
  return `${day} ${month} ${year}`;
}

for (const time of document.querySelectorAll("time[data-moment]")) {
  time.title = time.textContent;
  time.textContent = momentInWords(time.dateTime);
}
