import type { Failure } from "../../domain/errors.ts";
import { parseInstant } from "../../domain/time/time.ts";
import type { Zone } from "../../domain/time/time-zone.ts";
import type { InTime } from "../../http/deadline.ts";
import { failureAnswer } from "../../http/failures.ts";
import { isReadyBody } from "../../http/ready-body.ts";
import { timeParameter } from "../input/parameters.ts";
import { copyOf } from "../records/body.ts";
import type { Answer } from "../route.ts";
import { fleetTime } from "./local-times.ts";
import type { ToolRow } from "./tool-fields.ts";

/** More is never read: it would have to be cut to a hundredth. */
const maxReadBytes = 8 * 1024 * 1024;

export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** Of failures alone. A body is in `content`, which every client reads, and would be sent twice. */
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

/** What a route answered. */
export interface ReadAnswer {
  readonly text: string;
  readonly body: { readonly data: ToolRow | readonly ToolRow[]; readonly next_cursor?: string | null };
  readonly headers: Readonly<Record<string, string>>;
}

/** Null if it is longer than can be used. */
export async function readAnswer(
  { body, headers = {} }: Answer,
  inTime: InTime,
  maxBytes = maxReadBytes,
): Promise<ReadAnswer | null> {
  const bytes = body instanceof ReadableStream ? await readStream(body, inTime, maxBytes) : bytesOf(body);
  if (bytes.byteLength > maxBytes) return null;
  const text = new TextDecoder().decode(bytes);
  return { text, body: JSON.parse(text), headers };
}

/** An answer for a model: the body as text, and in words what to know beyond it. */
export function shownResult(text: string, notes: readonly string[]): ToolResult {
  return { content: (notes.length > 0 ? [text, notes.join(" ")] : [text]).map(asText), isError: false };
}

/** A failure that a model should see, with the body that the API would have answered. */
export function failedResult(failure: Failure, requestId: string): ToolResult {
  const { body } = failureAnswer(failure, "api", requestId);
  const { error } = body as { readonly error: { readonly code: string; readonly message: string } };
  return {
    content: [asText(`${error.code}: ${error.message} (request_id ${requestId})`)],
    structuredContent: body,
    isError: true,
  };
}

function asText(text: string) {
  return { type: "text", text } as const;
}

function bytesOf(body: Exclude<Answer["body"], ReadableStream>): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  return isReadyBody(body) ? body.bytes : copyOf(body);
}

/** Reads until it is over, or is longer than can be used. */
async function readStream(stream: ReadableStream<Uint8Array>, inTime: InTime, maxBytes: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const read = async () => {
    const parts: Uint8Array[] = [];
    for (let length = 0; length <= maxBytes; ) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      length += value.byteLength;
    }
    return Buffer.concat(parts);
  };
  try {
    return await inTime(read());
  } finally {
    // Its place is free again, whatever happened.
    reader.cancel().catch(() => {});
  }
}

/** Which moment or window the answer is about, as the fleet's clocks show it. */
export function timeNotes({
  answer: { headers },
  query,
  zone,
  now,
}: {
  readonly answer: ReadAnswer;
  readonly query: URLSearchParams;
  readonly zone: Zone;
  readonly now: number;
}): string[] {
  const { "X-Window-From": from, "X-Window-To": to, "X-Window-Clamped": clamped } = headers;
  const shown = (text: string) => fleetTime(parseInstant(text) ?? now, zone);
  if (from === undefined || to === undefined) {
    const moment = query.get(timeParameter.name);
    return [
      `As of ${moment === null ? fleetTime(now, zone) : shown(moment)}${zone.name === "UTC" ? "" : ` (${zone.name})`}.`,
    ];
  }
  const window = `This is the window from ${shown(from)} (included) to ${shown(to)} (not included).`;
  return clamped ? [`${window} A longer one was asked for: ask for what was before it separately.`] : [window];
}

export function pageNotes(tool: string, next: string | null | undefined): string[] {
  return next
    ? [`There are more rows: call ${tool} again with the same arguments and this next_cursor as cursor.`]
    : [];
}
