import { findRoute } from "../api/find-route.ts";
import { maxRows } from "../api/input/parameters.ts";
import { type Answer, prefix } from "../api/route.ts";
import { routeParts } from "../api/route-parts.ts";
import { type FoundRoute, runRoute } from "../api/run-route.ts";
import { Failure } from "../domain/errors.ts";
import { allScopes } from "../domain/scopes.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { Database } from "../store/database.ts";
import type { ExportList, ExportWindow } from "./export-lists.ts";

/** Where an export is: at the beginning of a page. */
export interface ExportPlace {
  readonly window: number;
  /** Null: at the beginning of the window. */
  readonly cursor: string | null;
}

/** Some records, in the order of the list. */
export interface ExportPart {
  /** Each as JSON. */
  readonly records: readonly string[];
  /** Where the next page begins; null while in the middle of one, `"end"` after the last. */
  readonly next: ExportPlace | "end" | null;
}

export interface ExportRequest {
  readonly list: ExportList;
  readonly path: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly windows: readonly (ExportWindow | null)[];
  readonly now: number;
}

/** The route of a list, or a `Failure` in the words of the API. */
export function routeOf(path: string): FoundRoute {
  const found = findRoute("GET", prefix + path);
  if (found.outcome !== "found") throw new Failure("NOT_FOUND", `there is no list ${path}`);
  return found;
}

/**
 * Reads a whole list as the viewer sees it, window by window and page by page, through the API's own routes: what is exported is
 * what the API shows.
 */
export async function* exportParts(
  database: Database,
  visibility: Visibility,
  { list, path, filters, windows, now }: ExportRequest,
  start: ExportPlace,
): AsyncGenerator<ExportPart, void, void> {
  const parts = await routeParts(database);
  const found = routeOf(path);
  let cursor = start.cursor;
  for (let index = start.window; index < windows.length; index++) {
    const window = windows[index] ?? null;
    const isKnown = list.mayOverlap && index > 0 ? startedBefore(list.timeField ?? "", window?.from ?? "") : null;
    do {
      const query = new URLSearchParams({ ...filters, ...window, ...paging(found, cursor), format: "ndjson" });
      const request = { visibility, caller: visibility.userId, scopes: allScopes, query: String(query), now };
      const answer: Answer = await runRoute(parts, found, request);
      for await (const lines of linesOf(answer.body)) {
        yield { records: isKnown ? lines.filter((line) => !isKnown(line)) : lines, next: null };
      }
      cursor = answer.next ?? null;
      const isEnd = cursor === null && index === windows.length - 1;
      const place = cursor === null ? { window: index + 1, cursor } : { window: index, cursor };
      yield { records: [], next: isEnd ? "end" : place };
    } while (cursor !== null);
  }
}

/** A list without pages takes no limit. */
function paging({ route }: FoundRoute, cursor: string | null): Record<string, string> {
  if (!route.parameters.some(({ name }) => name === "limit")) return {};
  return { limit: String(maxRows), ...(cursor === null ? {} : { cursor }) };
}

/** What began before this window was in an earlier one. Instants of one form sort as their texts do. */
function startedBefore(field: string, from: string): (line: string) => boolean {
  return (line) => String((JSON.parse(line) as Record<string, unknown>)[field]) < from;
}

/** The lines of a body, as many at a time as have arrived. */
async function* linesOf(body: Answer["body"]): AsyncGenerator<readonly string[], void, void> {
  let unfinished = "";
  for await (const text of textsOf(body)) {
    const lines = (unfinished + text).split("\n");
    unfinished = lines.pop() ?? "";
    if (lines.length > 0) yield lines;
  }
}

async function* textsOf(body: Answer["body"]): AsyncGenerator<string, void, void> {
  if (typeof body === "string") {
    yield body;
    return;
  }
  const decoder = new TextDecoder();
  if (!(body instanceof ReadableStream)) {
    yield decoder.decode(body.bytes);
    if ("release" in body) body.release();
    return;
  }
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
}
