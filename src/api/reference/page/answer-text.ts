/** What a person can look through, and a browser lays out at once. */
const maxLines = 1_000;
const maxCharacters = 200_000;

/** Lists of plain values that are shorter than this stay on one line. */
const longestLine = 60;

/** A text to show, and what was left out of it. */
export interface Shown {
  readonly text: string;
  /** In words; null: nothing was left out. */
  readonly cut: string | null;
}

/** JSON is laid out; everything else is shown as it came. Both are cut if they are long. */
export function shownText(body: string, contentType: string): Shown {
  const laidOut = /[/+]json\b/.test(contentType) ? layOut(body) : body;
  const lines = laidOut.split("\n");
  const head = lines.slice(0, maxLines).join("\n").slice(0, maxCharacters);
  if (head.length === laidOut.length) return { text: laidOut, cut: null };
  const shown = head.split("\n").length;
  const part =
    shown < lines.length
      ? `${count(shown)} of ${count(lines.length)} lines`
      : `${count(head.length)} of ${count(laidOut.length)} characters`;
  return { text: head, cut: `The first ${part}. Save the answer to see all.` };
}

function layOut(body: string): string {
  try {
    const text = JSON.stringify(JSON.parse(body), null, 2);
    return text.replace(/\[\n\s+([^[\]{}]*?)\n\s+\]/g, (list, items: string) => {
      const line = items.replace(/,\n\s+/g, ", ");
      return line.length <= longestLine ? `[${line}]` : list;
    });
  } catch {
    return body;
  }
}

export type Part = readonly [kind: "key" | "string" | "number" | "literal" | "plain", text: string];

/** The parts of laid-out JSON, cut or not. Together they are the text. */
export function jsonParts(text: string): Part[] {
  const token = /("(?:[^"\\\n]|\\.)*")(?=(:?))|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    if (match.index > end) parts.push(["plain", text.slice(end, match.index)]);
    const [found, quoted, colon] = match;
    if (quoted !== undefined) parts.push([colon === ":" ? "key" : "string", found]);
    else parts.push([/^[tfn]/.test(found) ? "literal" : "number", found]);
    end = match.index + found.length;
  }
  if (end < text.length) parts.push(["plain", text.slice(end)]);
  return parts;
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function timeText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function count(value: number): string {
  return value.toLocaleString("en");
}

const headersToShow = [
  "Content-Type",
  "ETag",
  "Link",
  "X-Resume-After",
  "X-Window-From",
  "X-Window-To",
  "X-Window-Clamped",
  "Retry-After",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "X-RateLimit-Limit-Second",
  "X-RateLimit-Remaining-Second",
  "X-Request-Id",
];

/** Those headers that say something about the answer, in the order in which they help. */
export function tellingHeaders(headers: Headers): [name: string, value: string][] {
  return headersToShow.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}

/** The cursor of the next page. It is in `Link` in every format. */
export function nextCursor(headers: Headers): string | null {
  const [, query] = /<[^>]*\?([^>]*)>;\s*rel="next"/.exec(headers.get("Link") ?? "") ?? [];
  return new URLSearchParams(query).get("cursor");
}
