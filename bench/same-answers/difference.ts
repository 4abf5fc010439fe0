import type { WireAnswer } from "./connection.ts";

/** Headers that two processes cannot have in common, with the reason. */
const incomparableHeaders: Readonly<Record<string, string>> = {
  date: "Bun writes it from the machine's clock",
};

export interface Difference {
  /** `message`: only the sentence differs that tells what is wrong. */
  readonly kind: "answer" | "message";
  readonly lines: readonly string[];
}

/** What differs between two answers to the same request; null if nothing does. */
export function differenceOf(before: WireAnswer, after: WireAnswer): Difference | null {
  const [one, other] = [comparable(before), comparable(after)];
  const isSame = one.head === other.head && one.body.equals(other.body);
  if (isSame) return null;
  const lines = changedLines(one.head.split("\n"), other.head.split("\n"));
  if (!one.body.equals(other.body)) lines.push(...bodyDifference(before, after, one.body, other.body));
  return { kind: isOnlyMessage(before, after) ? "message" : "answer", lines };
}

/** The same for differences that are likely to have one cause: which headers and which field, not which values. */
export function shapeOf({ kind, lines }: Difference): string {
  if (kind === "message")
    return lines
      .join("\n")
      .replaceAll(/\\?"[^"]*"|[\d.:-]+|\b[0-9a-f]{6,}\b/g, "#")
      .replaceAll(/length: #/gi, "");
  return lines
    .map((line) => (/^[-+] [\w-]+:/.test(line) ? line.split(":")[0] : line.replaceAll(/^[-+].*|\d+/g, "#")))
    .join("\n");
}

/** What is compared of an answer: status, headers in the order of their names, and the body, under one request id. */
function comparable({ statusLine, lines, body }: WireAnswer): { readonly head: string; readonly body: Buffer } {
  const compared = lines.filter((line) => !Object.hasOwn(incomparableHeaders, nameOf(line)));
  const id = /^x-request-id: ([0-9a-f-]{36})$/i.exec(
    compared.find((line) => nameOf(line) === "x-request-id") ?? "",
  )?.[1];
  const head = [statusLine, ...compared.toSorted()].join("\n");
  if (id === undefined) return { head, body };
  // Drawn for each request. That both versions draw as often within one is nothing that a client sees.
  const masked = "request-id-of-this-answer".padEnd(36, "-");
  const text = body.toString("latin1");
  return {
    head: head.replaceAll(id, masked),
    body: text.includes(id) ? Buffer.from(text.replaceAll(id, masked), "latin1") : body,
  };
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(":")).toLowerCase();
}

export function changedLines(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
  ];
}

function bodyDifference(before: WireAnswer, after: WireAnswer, one: Buffer, other: Buffer): string[] {
  const [content, otherContent] = [contentOf(before, one), contentOf(after, other)];
  if (content.equals(otherContent)) return ["the compressed bytes differ, their content does not"];
  const [json, otherJson] = [parsed(content), parsed(otherContent)];
  const place = json === undefined || otherJson === undefined ? null : firstDifference(json, otherJson, "");
  if (place !== null) return [place.at, `- ${shortened(place.before)}`, `+ ${shortened(place.after)}`];
  let at = 0;
  while (at < content.length && content[at] === otherContent[at]) at++;
  const around = (bytes: Buffer) => JSON.stringify(bytes.toString("utf8", Math.max(0, at - 60), at + 100));
  return [`byte ${at} of the body`, `- ${around(content)}`, `+ ${around(otherContent)}`];
}

/** As it was before it was compressed. */
export function contentOf({ lines }: WireAnswer, body: Buffer): Buffer {
  const encoding = lines.find((line) => nameOf(line) === "content-encoding")?.split(": ")[1];
  try {
    if (encoding === "gzip") return Buffer.from(Bun.gunzipSync(new Uint8Array(body)));
    if (encoding === "zstd") return Buffer.from(Bun.zstdDecompressSync(body));
  } catch {
    // Then the bytes themselves are shown.
  }
  return body;
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8"));
  } catch {
    return undefined;
  }
}

interface Place {
  readonly at: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Null if both say the same, perhaps in another order or with other spaces. */
function firstDifference(before: unknown, after: unknown, at: string): Place | null {
  if (!isRecord(before) || !isRecord(after) || Array.isArray(before) !== Array.isArray(after)) {
    return Object.is(before, after) ? null : { at: at || "the body", before, after };
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const place = firstDifference(
      before[name],
      after[name],
      Array.isArray(before) ? `${at}[${name}]` : `${at}.${name}`,
    );
    if (place !== null) return place;
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isOnlyMessage(before: WireAnswer, after: WireAnswer): boolean {
  const [one, other] = [before, after].map((answer) => parsed(contentOf(answer, answer.body)));
  // Nothing but words is left out, so without a change of words it is another difference.
  if (!isRecord(one) || !isRecord(other) || wordsOf(one) === wordsOf(other)) return false;
  const restOf = (answer: WireAnswer, body: Record<string, unknown>) => {
    const lines = answer.lines.filter((line) => nameOf(line) !== "content-length");
    const { head, body: rest } = comparable({ ...answer, lines, body: Buffer.from(withoutWords(body)) });
    return `${head}\n${rest}`;
  };
  return restOf(before, one) === restOf(after, other);
}

/** The sentences that tell a person what is wrong: of an error, of its fields, and of refused frames. */
function wordsOf({ error, refused }: Record<string, unknown>): string {
  const { message, fields } = isRecord(error) ? error : {};
  return JSON.stringify([message, fields, refused]);
}

function withoutWords({ error, refused, ...rest }: Record<string, unknown>): string {
  const { message: _, fields, ...ofError } = isRecord(error) ? error : {};
  const names = isRecord(fields) ? Object.keys(fields) : fields;
  const indexes = Array.isArray(refused) ? refused.map((frame) => ({ ...frame, reason: "" })) : refused;
  return JSON.stringify({ error: { ...ofError, names }, refused: indexes, ...rest });
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
