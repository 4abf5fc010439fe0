import { Failure } from "../../domain/errors.ts";
import type { Zone } from "../../domain/time/time-zone.ts";
import { nearParameter } from "../input/near.ts";
import { limit, maxListRows } from "../input/parameters.ts";
import type { Route } from "../route.ts";
import { emptyNotes } from "./empty-notes.ts";
import type { RpcParams } from "./message.ts";
import { isList, isPaged, maxBodyTokens, pageRows, tokensOf } from "./tool-budget.ts";
import { fieldsThere, pickedRows, type ToolRow } from "./tool-fields.ts";
import { pageNotes, type ReadAnswer, shownResult, type ToolResult, timeNotes } from "./tool-result.ts";
import { fittingRows, sumsOf, withShortRows } from "./tool-rows.ts";
import type { Tool } from "./tools.ts";

/** Lets a route answer; null if that is more than can be used. */
export type AskRoute = (
  route: Route,
  values: readonly string[],
  query: URLSearchParams,
  maxBytes?: number,
) => Promise<ReadAnswer | null>;

/** What has more whole rows than this is added up, if it can be: a model could not read a tenth of it. */
const maxBytesBeforeSums = 256 * 1024;

/** A tool's arguments: a request for its route, and what of the answer to show. */
export interface ToolRequest {
  readonly tool: Tool;
  readonly given: RpcParams;
  readonly values: readonly string[];
  readonly query: URLSearchParams;
  /** Arguments of which the key may not look up whether there is such a thing. */
  readonly unchecked: readonly string[];
  /** Empty: the usual ones. */
  readonly fields: string;
  /** Whether vehicles need their ids: the key cannot look names up. */
  readonly hasIds: boolean;
  readonly offset: number;
  /** The fleet's, by which the result says which time it is about. */
  readonly zone: Zone;
  readonly now: number;
}

/** An answer that a model can afford: rows in pages, sums in the place of many rows, and never a refusal. */
export async function answerTool(request: ToolRequest, ask: AskRoute): Promise<ToolResult> {
  const { route } = request.tool;
  if (!isList(route)) return singleResult(request, ask);
  // The nearest are one list without a cursor.
  const isWhole = !isPaged(route) || request.query.has(nearParameter.name);
  return isWhole ? wholeResult(request, ask) : pageResult(request, ask);
}

async function singleResult({ tool, values, query, zone, now }: ToolRequest, ask: AskRoute): Promise<ToolResult> {
  const answer = await ask(tool.route, values, query);
  if (answer === null) throw tooLong();
  const isShort = tokensOf(answer.text) <= maxBodyTokens(true);
  const text = isShort ? answer.text : JSON.stringify(withShortRows(answer.body));
  return shownResult(text, timeNotes({ answer, query, zone, now }));
}

/** A page with as many rows as fit. */
async function pageResult(request: ToolRequest, ask: AskRoute): Promise<ToolResult> {
  const { tool, values, query, zone, now } = request;
  const { route, description } = tool;
  const isLimitNamed = query.has("limit");
  const maxTokens = maxBodyTokens(isLimitNamed);
  const words = new URLSearchParams(query);
  // A cursor carries the limit of the first page.
  if (!isLimitNamed && !query.get("cursor")) words.set("limit", String(pageRows(route)));
  for (let count = 0; ; words.set("limit", String(count))) {
    const answer = await ask(route, values, words);
    const shown = answer && shownPage(request, answer);
    count = answer ? rowsOf(answer).length : Number(words.get("limit"));
    const tokens = shown === null ? Number.POSITIVE_INFINITY : tokensOf(shown);
    if (shown !== null && answer !== null && (tokens <= maxTokens || count <= 1)) {
      const text = tokens <= maxTokens ? shown : JSON.stringify(withShortRows(JSON.parse(shown)));
      const notes = [
        ...emptyNotes(request, rowsOf(answer)),
        ...timeNotes({ answer, query, zone, now }),
        ...pageNotes(description.name, answer.body.next_cursor),
      ];
      return shownResult(text, notes);
    }
    if (count <= 1) throw tooLong();
    const share = shown === null ? 0.1 : (0.9 * maxTokens) / tokens;
    count = Math.max(1, Math.floor(count * share));
  }
}

function shownPage({ tool, fields, hasIds }: ToolRequest, answer: ReadAnswer): string {
  const rows = pickedRows(tool.route, rowsOf(answer), fields, hasIds);
  return rows === answer.body.data ? answer.text : JSON.stringify({ ...answer.body, data: rows });
}

/** Of a list that the API gives whole: all of it, or sums, or a part and how to go on. */
async function wholeResult(request: ToolRequest, ask: AskRoute): Promise<ToolResult> {
  const { tool, given, values, query, fields, hasIds, offset, zone, now } = request;
  const { route, description } = tool;
  const count = isPaged(route) && query.has(limit.name) ? limit.read(query.get(limit.name) ?? "") : null;
  const maxTokens = maxBodyTokens(query.has(limit.name));
  const { ifLong, ifEndless } = sumsOf(route, given);
  const read = async (sum: Readonly<Record<string, string>>, maxBytes?: number) => {
    const words = new URLSearchParams(query);
    // A model's own limit is how many of them it wants to see. The route refuses a wrong one.
    if (isPaged(route) && count !== undefined) words.set(limit.name, String(maxListRows));
    for (const [name, value] of Object.entries(sum)) words.set(name, value);
    const answer = await ask(route, values, words, maxBytes);
    if (answer === null) return null;
    const all = rowsOf(answer);
    // Sums have other fields than what was asked for.
    const rows = pickedRows(route, all, Object.keys(sum).length === 0 ? fields : fieldsThere(all, fields), hasIds);
    return { sum, answer, rows, tokens: tokensOf(JSON.stringify(rows)) };
  };
  type Found = Awaited<ReturnType<typeof read>>;
  let found: Found = null;
  let asked: Found = null;
  for (const sum of ifLong) {
    const next = await read(sum, sum === ifLong.at(-1) ? undefined : maxBytesBeforeSums);
    if (sum === ifLong[0]) asked = next;
    // Sums of a single period are as many rows.
    if (next && (!asked || next === asked || next.rows.length < asked.rows.length)) found = next;
    if (next && next === found && next.tokens <= maxTokens) break;
  }
  for (const sum of found === null ? ifEndless : []) found ??= await read(sum);
  if (found === null) throw tooLong();
  const { rows, notes } = fittingRows(route, description.name, found.rows, { offset, count: count ?? null, maxTokens });
  const body = { ...found.answer.body, data: rows };
  const isShort = tokensOf(JSON.stringify(body)) <= maxBodyTokens(true);
  const text =
    rows === found.answer.body.data ? found.answer.text : JSON.stringify(isShort ? body : withShortRows(body));
  const window = [
    ...emptyNotes(request, rowsOf(found.answer)),
    ...timeNotes({ answer: found.answer, query, zone, now }),
  ];
  const nearest = isPaged(route) && found.rows.length === maxListRows ? [nearestNote] : [];
  return shownResult(text, [...window, ...sumNotes(found.sum, asked?.tokens ?? null), ...notes, ...nearest]);
}

const nearestNote = `These are the nearest ${maxListRows}; others are farther away: ask with another \`near\`, or a \`tag\`.`;

function sumNotes(sum: Readonly<Record<string, string>>, askedTokens: number | null): string[] {
  const how = Object.entries(sum).map(([name, value]) => `${name}=${value}`);
  if (how.length === 0) return [];
  const size = askedTokens === null ? "far too many" : `about ${askedTokens}`;
  const why = `The rows that you asked for have ${size} tokens, so they are added up (${how.join(", ")}).`;
  return [
    `${why} For finer ones name one vehicle with \`device_id\`, or fewer days with \`from\` and \`to\`; other sums: report_mileage_sums.`,
  ];
}

function rowsOf({ body: { data } }: ReadAnswer): readonly ToolRow[] {
  return Array.isArray(data) ? data : [];
}

/** There is nothing to show of it. */
function tooLong(): Failure {
  return new Failure("INVALID_REQUEST", "the answer is too long for a model: tell the user that the API has it");
}
