import { Failure } from "../../domain/errors.ts";
import { allScopes } from "../../domain/scopes.ts";
import type { Visibility } from "../../domain/visibility.ts";
import type { DocumentWriter, FormatName } from "../formats/format.ts";
import { maxListRows } from "../input/parameters.ts";
import { readInput } from "../input/read-input.ts";
import { type Answer, prefix } from "../route.ts";
import type { RouteDeps } from "../route-deps.ts";
import { findRoute } from "../routes.ts";
import { type FoundRoute, runRoute } from "../run-route.ts";
import type { ExportList } from "./lists.ts";
import type { ExportWindow } from "./windows.ts";

/** Where an export is: at the beginning of a page. */
export interface ExportPlace {
  readonly window: number;
  /** Null: at the beginning of the window. */
  readonly cursor: string | null;
}

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
  /** Rejects if the reader may no longer read. */
  readonly checkAccess: () => Promise<void>;
  /** Only what began in the window, where a record may have begun before it. */
  readonly onlyBegun?: boolean;
  readonly deviceIds?: ReadonlySet<string> | null;
  /** Of a page; as many as the API gives, unless named. */
  readonly rowsPerPage?: number;
}

/** The route of a list, or a `Failure` in the words of the API. */
export function routeOf(path: string): FoundRoute {
  const found = findRoute("GET", prefix + path);
  if (found.outcome !== "found") throw new Failure("NOT_FOUND", `there is no list ${path}`);
  return found;
}

/** Begins the file of a list, or continues it in the middle. */
export function openDocument(path: string, format: FormatName, hasRecords = false): DocumentWriter {
  const { route, values } = routeOf(path);
  const { input } = readInput(route.parameters, values, "");
  const document = route.formats?.open(format, input, { hasRecords });
  if (!document) throw new Error(`${path} is no list`);
  return document;
}

/** Reads a whole list page by page through the API's own routes: what is exported is what the API shows, and hardly more. */
export async function* exportParts(
  deps: RouteDeps,
  visibility: Visibility,
  request: ExportRequest,
  start: ExportPlace,
): AsyncGenerator<ExportPart, void, void> {
  const { list, path, filters, windows, now, checkAccess } = request;
  const { onlyBegun = false, deviceIds = null, rowsPerPage = maxListRows } = request;
  const found = routeOf(path);
  let cursor = start.cursor;
  for (let index = start.window; index < windows.length; index++) {
    const window = windows[index] ?? null;
    const isKnown =
      list.mayOverlap && (index > 0 || onlyBegun) ? startedBefore(list.timeField ?? "", window?.from ?? "") : null;
    const isWanted = (line: string) => !isKnown?.(line) && (deviceIds === null || deviceIds.has(deviceOf(line)));
    const isFiltered = isKnown !== null || deviceIds !== null;
    do {
      const query = new URLSearchParams({
        ...filters,
        ...window,
        ...paging(found, cursor, rowsPerPage),
        format: "ndjson",
      });
      const viewer = { visibility, caller: visibility.userId, checkAccess, scopes: allScopes };
      const answer: Answer = await runRoute(deps, found, { ...viewer, query: String(query), now });
      for await (const lines of linesOf(answer.body)) {
        yield { records: isFiltered ? lines.filter(isWanted) : lines, next: null };
      }
      cursor = answer.next ?? null;
      const isEnd = cursor === null && index === windows.length - 1;
      const place = cursor === null ? { window: index + 1, cursor } : { window: index, cursor };
      yield { records: [], next: isEnd ? "end" : place };
    } while (cursor !== null);
  }
}

/** A list without pages takes no limit. */
function paging({ route }: FoundRoute, cursor: string | null, rows: number): Record<string, string> {
  if (!route.parameters.some(({ name }) => name === "limit")) return {};
  return { limit: String(rows), ...(cursor === null ? {} : { cursor }) };
}

/** What began before this window was in an earlier one. Instants of one form sort as their texts do. */
function startedBefore(field: string, from: string): (line: string) => boolean {
  return (line) => String((JSON.parse(line) as Record<string, unknown>)[field]) < from;
}

function deviceOf(line: string): string {
  return String((JSON.parse(line) as Record<string, unknown>).device_id);
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
    const text = decoder.decode(body.bytes);
    if ("release" in body) body.release();
    yield text;
    return;
  }
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true });
}
