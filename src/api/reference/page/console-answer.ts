import { jsonParts } from "../json-text.ts";
import { nextCursor, shownAnswer, shownHeaders, sizeText, timeText } from "./answer-text.ts";
import { addCopyButton, button, element, find } from "./dom.ts";

export interface ReceivedAnswer {
  readonly response: Response;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ms: number;
}

export interface NextSteps {
  readonly readPage: (cursor: string) => void;
  /** Asks again with the tag; null: the operation has none. */
  readonly askAgain: ((etag: string) => void) | null;
}

export function statusWords({ response: { status, statusText }, bytes, ms }: ReceivedAnswer): (Node | string)[] {
  const kind = status < 300 ? "good" : status < 400 ? "same" : "bad";
  const phrase = status === 304 ? "304 Not Modified: nothing has changed" : `${status} ${statusText}`.trim();
  return [element("strong", { class: kind }, phrase), ` in ${timeText(ms)}, ${sizeText(bytes.length)}`];
}

export function answerView(received: ReceivedAnswer, steps: NextSteps): Node[] {
  const { response, bytes } = received;
  const { headers } = response;
  return [
    ...ignoredNote(headers),
    element("div", { class: "console-actions" }, ...actions(headers, steps)),
    element("div", { class: "answer-parts" }, ...(bytes.length > 0 ? [bodyBlock(received)] : []), headerList(headers)),
  ];
}

function actions(headers: Headers, { readPage, askAgain }: NextSteps): HTMLElement[] {
  const cursor = nextCursor(headers);
  const etag = headers.get("ETag");
  const made: HTMLElement[] = [];
  if (cursor !== null) made.push(button("Read the next page", () => readPage(cursor)));
  if (etag !== null && askAgain) made.push(button("Ask again with If-None-Match", () => askAgain(etag)));
  return made;
}

/** The answer is about more than was asked for, as if the names were not there. */
function ignoredNote(headers: Headers): HTMLElement[] {
  const names = headers.get("X-Ignored-Parameters");
  return names === null ? [] : [element("p", { class: "cut" }, `Not known here, and ignored: ${names}`)];
}

function headerList(headers: Headers): HTMLElement {
  const rows = shownHeaders(headers).flatMap(([name, value]) => [
    element("dt", {}, name),
    element("dd", {}, element("code", {}, value)),
  ]);
  return element("dl", { class: "answer-headers" }, ...rows);
}

function bodyBlock({ response, bytes }: ReceivedAnswer): HTMLElement {
  const contentType = response.headers.get("Content-Type") ?? "";
  const { text, cut } = shownAnswer(new TextDecoder().decode(bytes), contentType);
  const isJson = /[/+]json\b/.test(contentType);
  const code = element("code");
  for (const [kind, part] of isJson ? jsonParts(text) : [["plain", text] as const]) {
    code.append(kind === "plain" ? part : element("span", { class: kind }, part));
  }
  const block = element(
    "figure",
    { class: "code" },
    element("figcaption", {}, "Body"),
    element("pre", { tabindex: "0", "aria-label": "Body of the answer" }, code),
  );
  const caption = find("figcaption", block);
  caption.append(button("Save", () => save(bytes, contentType), "small save"));
  addCopyButton(block);
  if (cut !== null) block.append(element("p", { class: "cut" }, cut));
  return block;
}

const endings: Readonly<Record<string, string>> = {
  "text/csv": "csv",
  "application/x-ndjson": "ndjson",
  "application/geo+json": "geojson",
  "application/gpx+xml": "gpx",
};

function save(bytes: Uint8Array<ArrayBuffer>, contentType: string): void {
  const type = contentType.split(";")[0] ?? "";
  const href = URL.createObjectURL(new Blob([bytes], { type: contentType }));
  element("a", { href, download: `answer.${endings[type] ?? "json"}` }).click();
  URL.revokeObjectURL(href);
}
