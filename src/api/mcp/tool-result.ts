import { Failure } from "../../domain/errors.ts";
import type { InTime } from "../../http/deadline.ts";
import { failureAnswer } from "../../http/failures.ts";
import { isReadyBody } from "../../http/ready-body.ts";
import { copyOf } from "../records/body.ts";
import type { Answer } from "../route.ts";
import type { Tool } from "./tools.ts";

/** One vehicle's mileage of a year has 150 KB. A model can hardly use more, and a client would cut it off without a word. */
const maxAnswerBytes = 256 * 1024;

export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: unknown;
  readonly isError: boolean;
}

/** The route's answer for a model: the same body as an object and as text, and in words what to know beyond it. */
export async function toolResult(tool: Tool, { body, headers = {} }: Answer, inTime: InTime): Promise<ToolResult> {
  const bytes = body instanceof ReadableStream ? await readStream(body, inTime) : bytesOf(body);
  if (bytes.byteLength > maxAnswerBytes) throw tooLong();
  const json = new TextDecoder().decode(bytes);
  const structuredContent: unknown = JSON.parse(json);
  const notes = [...windowNotes(headers), ...pageNotes(tool, structuredContent)];
  const texts = notes.length > 0 ? [json, notes.join(" ")] : [json];
  return { content: texts.map(asText), structuredContent, isError: false };
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

/** Reads until it is over, or is longer than a model gets. */
async function readStream(stream: ReadableStream<Uint8Array>, inTime: InTime): Promise<Uint8Array> {
  const reader = stream.getReader();
  const read = async () => {
    const parts: Uint8Array[] = [];
    for (let length = 0; length <= maxAnswerBytes; ) {
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

function tooLong(): Failure {
  const message = `the answer is longer than ${maxAnswerBytes / 1024} KiB: ask for one device, a shorter window or a smaller limit`;
  return new Failure("INVALID_REQUEST", message);
}

function windowNotes(headers: Readonly<Record<string, string>>): string[] {
  const { "X-Window-From": from, "X-Window-To": to, "X-Window-Clamped": clamped } = headers;
  if (from === undefined) return [];
  const window = `This is the window from ${from} (included) to ${to} (not included).`;
  return clamped ? [`${window} A longer one was asked for: ask for what was before it separately.`] : [window];
}

function pageNotes({ description }: Tool, body: unknown): string[] {
  const { next_cursor: next } = body as { readonly next_cursor?: string | null };
  if (!next) return [];
  return [
    `There are more rows: call ${description.name} again with the same arguments and this next_cursor as cursor.`,
  ];
}
