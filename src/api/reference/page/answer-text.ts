import { layOut } from "../json-text.ts";

/** What a person can look through, and a browser lays out at once. */
const maxLines = 1_000;
const maxCharacters = 200_000;

export interface ShownAnswer {
  readonly text: string;
  /** In words; null: nothing was left out. */
  readonly cut: string | null;
}

/** JSON is laid out; everything else is shown as it came. Both are cut if they are long. */
export function shownAnswer(body: string, contentType: string): ShownAnswer {
  const laidOut = /[/+]json\b/.test(contentType) ? laidOutJson(body) : body;
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

/** What is no JSON after all is shown as it came. */
function laidOutJson(body: string): string {
  try {
    return layOut(JSON.parse(body));
  } catch {
    return body;
  }
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

/** The headers that say something about the answer, in the order in which they help. */
export function shownHeaders(headers: Headers): [name: string, value: string][] {
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
