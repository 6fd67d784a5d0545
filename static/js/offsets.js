// The one place where code points and UTF-16 units meet. Offsets in the product count code
// points; the DOM counts UTF-16 units. Everything else in these scripts speaks code points.

const isHigh = (unit) => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit) => unit >= 0xdc00 && unit <= 0xdfff;

const isPairAt = (text, at) =>
  isHigh(text.charCodeAt(at)) && at + 1 < text.length && isLow(text.charCodeAt(at + 1));

/** How many code points `text` has. */
export function codePointLength(text) {
  let count = 0;
  for (let at = 0; at < text.length; at += isPairAt(text, at) ? 2 : 1) count += 1;
  return count;
}

/** Code point offset to UTF-16 offset, clamped to the text's end. */
export function toUtf16(text, codePoints) {
  let at = 0;
  for (let seen = 0; seen < codePoints && at < text.length; seen += 1) {
    at += isPairAt(text, at) ? 2 : 1;
  }
  return at;
}

/** `text[start:end]` as Python slices it. */
export function slice(text, start, end) {
  return text.slice(toUtf16(text, start), toUtf16(text, end));
}
