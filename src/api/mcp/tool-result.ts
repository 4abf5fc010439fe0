import { Failure } from "../../domain/errors.ts";
import { dayMs, parseInstant } from "../../domain/time/time.ts";
import type { InTime } from "../../http/deadline.ts";
import { failureAnswer } from "../../http/failures.ts";
import { isReadyBody } from "../../http/ready-body.ts";
import { cursor, deviceId, from, imei, limit, reportFrom, reportTo } from "../input/parameters.ts";
import { copyOf } from "../records/body.ts";
import type { Answer } from "../route.ts";
import type { RpcParams } from "./message.ts";
import { type Tool, toolRows } from "./tools.ts";

/** One vehicle's mileage of a year has 150 KB. A model can hardly use more, and a client would cut it off without a word. */
const maxAnswerBytes = 256 * 1024;

export interface ToolResult {
  readonly content: readonly { readonly type: "text"; readonly text: string }[];
  /** Of failures alone. A body is in `content`, which every client reads, and would be sent twice. */
  readonly structuredContent?: unknown;
  readonly isError: boolean;
}

/** The route's answer for a model: the body as text, and in words what to know beyond it. */
export async function toolResult(
  tool: Tool,
  given: RpcParams,
  { body, headers = {} }: Answer,
  inTime: InTime,
): Promise<ToolResult> {
  const bytes = body instanceof ReadableStream ? await readStream(body, inTime) : bytesOf(body);
  if (bytes.byteLength > maxAnswerBytes) throw tooLong(tool, given);
  const json = new TextDecoder().decode(bytes);
  const notes = [...windowNotes(headers), ...pageNotes(tool, JSON.parse(json))];
  const texts = notes.length > 0 ? [json, notes.join(" ")] : [json];
  return { content: texts.map(asText), isError: false };
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

function tooLong(tool: Tool, given: RpcParams): Failure {
  const advice =
    adviceFor(tool, given).join(", or ") || "no argument makes it shorter; tell the user that the API has it";
  return new Failure("INVALID_REQUEST", `the answer is longer than ${maxAnswerBytes / 1024} KiB: ${advice}`);
}

/** How to ask for less, by arguments that the tool has and that make this very call smaller. */
export function adviceFor({ parameters }: Tool, given: RpcParams): string[] {
  const names = [deviceId, imei].filter((one) => parameters.includes(one)).map(({ name }) => name);
  const isOneDevice = names.some((name) => given[name] != null);
  const advice: string[] = [];
  // A cursor carries the vehicle and the window of the first page, and refuses others.
  const isFirstPage = !given[cursor.name];
  if (isFirstPage && names.length > 0 && !isOneDevice)
    advice.push(`ask for one vehicle at a time with ${quoted(names)}`);
  if (parameters.includes(reportFrom) && hasDays(given)) advice.push("ask for fewer days with `from` and `to`");
  if (isFirstPage && parameters.includes(from)) advice.push("ask for a shorter window with `from` and `to`");
  if (parameters.includes(limit) && Number(given[limit.name] ?? toolRows) > 1) {
    advice.push("ask for fewer rows with `limit`");
  }
  return advice;
}

/** Whether the window of a report has more than one day. Without `from` it has one. */
function hasDays(given: RpcParams): boolean {
  const at = (name: string) => (given[name] == null ? null : parseInstant(String(given[name])));
  const start = at(reportFrom.name);
  return start !== null && (at(reportTo.name) ?? Date.now()) - start > dayMs;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(" or ");
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
