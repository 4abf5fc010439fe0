import type { MeterReading } from "../access/meter.ts";
import type { Scope } from "../domain/scopes.ts";
import type { Visibility } from "../domain/visibility.ts";
import type { RouteMatch } from "../http/router.ts";
import type { ViewerCounters } from "../store/changes/viewer-counters.ts";
import { acceptedFormat } from "./formats/accept.ts";
import type { FormatName } from "./formats/format.ts";
import { openJson } from "./formats/json.ts";
import { everyField } from "./formats/shown-fields.ts";
import { includeNames } from "./input/filters.ts";
import type { Input } from "./input/parameter.ts";
import { readInput, refuseProblems } from "./input/read-input.ts";
import { recordsShown } from "./lists/names.ts";
import { requestKey } from "./ready-answers.ts";
import type { Answer, Route, RouteCall } from "./route.ts";
import type { RouteDeps } from "./route-deps.ts";

export type FoundRoute = Extract<RouteMatch<Route>, { outcome: "found" }>;

export interface ViewerRequest {
  readonly visibility: Visibility;
  /** The id of the key, or of the signed-in user. */
  readonly caller: string;
  /** Rejects if the caller may no longer read what the answer began with. */
  readonly checkAccess: () => Promise<void>;
  readonly scopes: readonly Scope[];
  /** Absent: a person who is signed in. */
  readonly keyId?: string;
  readonly reading?: MeterReading;
  readonly query: string;
  readonly hasShortCursors?: boolean;
  readonly accept?: string | null;
  /** The viewer's counters, if they were read with what the call uses of its limits. */
  readonly counters?: ViewerCounters | null | undefined;
  readonly now: number;
}

/** What a route answers one viewer. There is no other way to the routes' data. */
export async function runRoute(deps: RouteDeps, found: FoundRoute, request: ViewerRequest): Promise<Answer> {
  let asked: Promise<ViewerCounters> | null = null;
  const counters = async () => {
    if (request.counters) return request.counters;
    asked ??= deps.cache.counters(request.visibility);
    return asked;
  };
  if (!found.route.isCached) return makeAnswer(deps, found, request, counters);
  const key = requestKey(found, request);
  const known = deps.answers.get(key);
  if (known?.isCurrent?.(await deps.inTime(counters()))) return known;
  const answer = await makeAnswer(deps, found, request, counters);
  deps.answers.set(key, answer);
  return answer;
}

/** Reads the input and lets the route answer it. */
async function makeAnswer(
  deps: RouteDeps,
  { route, values }: FoundRoute,
  request: ViewerRequest,
  counters: RouteCall["counters"],
): Promise<Answer> {
  const { inTime, database, cursors, seals, resumeTokens, cache } = deps;
  const { visibility, caller, checkAccess, scopes, query, accept = null, now, keyId = null, reading = null } = request;
  const { hasShortCursors = false } = request;
  const { input, problems, ignored } = readInput(route.parameters, values, query);
  const format = formatOf(route, input, accept);
  const viewer = { visibility, caller, checkAccess, scopes, keyId, reading, input, now };
  const routeCall = {
    database,
    read: pageReader(deps, visibility, counters),
    cursors,
    seals,
    resumeTokens,
    cache,
    counters,
    ...viewer,
    query,
    hasShortCursors,
    format,
    ...shownBy(route, { database, visibility, scopes, input, format }),
  };
  refuseProblems([...problems, ...(route.formats?.problems(input) ?? []), ...(route.problems?.(routeCall) ?? [])]);
  const answering = route.answer(routeCall);
  try {
    const answer = await inTime(answering, route.deadlineMs);
    const shown = route.formats ? listAnswer(answer, format, route, values, input) : answer;
    return ignored.length === 0 ? shown : { ...shown, headers: { ...shown.headers, ...ignoredHeader(ignored) } };
  } catch (error) {
    // A late result has no reader: a streamed body would hold its place for no one.
    answering.then(({ body }) => (body instanceof ReadableStream ? body.cancel() : undefined)).catch(() => {});
    throw error;
  }
}

/** The longest names are no parameters of anybody's, and the header must stay short. */
const maxIgnored = 10;
const maxNameLength = 60;

export function ignoredHeader(names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  const shown = names.slice(0, maxIgnored).map((name) => name.slice(0, maxNameLength).toWellFormed());
  return { "X-Ignored-Parameters": shown.map(encodeURIComponent).join(", ") };
}

function pageReader(
  { database, replica }: RouteDeps,
  visibility: Visibility,
  counters: RouteCall["counters"],
): RouteCall["read"] {
  if (replica === null) return (work) => work(database);
  const lastChange = async () => (await counters()).last;
  return (work) => replica.read({ accountId: visibility.accountId, lastChange, work });
}

function formatOf({ formats }: Route, input: Input, accept: string | null): FormatName {
  return formats ? (input.get(formats.parameter) ?? acceptedFormat(accept, formats.offered)) : "json";
}

function shownBy({ formats }: Route, call: Parameters<typeof recordsShown>[0]): ReturnType<typeof recordsShown> {
  if (!formats) return { shown: everyField, withNames: async (records) => records, open: () => openJson(false) };
  return recordsShown(call, formats, call.input.get(formats.fields), call.input.get(includeNames) === true);
}

/** What every list says besides its body: its format, and where the next page is. */
function listAnswer(
  answer: Answer,
  format: FormatName,
  { path, formats }: Route,
  values: readonly string[],
  input: Input,
): Answer {
  const { next = null } = answer;
  if (next === null) return { ...answer, format };
  const isFormatNamed = formats !== undefined && input.names(formats.parameter);
  const Link = nextLink(path, values, next, isFormatNamed ? format : null);
  return { ...answer, format, headers: { ...answer.headers, Link } };
}

/**
 * The header `Link` to the next page. Its address is relative to that of the request (RFC 3986): what stands in front of it,
 * such as the host and a proxy's prefix, is the client's to know. The cursor carries window, filters and limit; only a format
 * that the request named must be named again. A cursor is read up to 4,096 characters, so the header is not much longer, and
 * none of them must be escaped (input/cursor.ts).
 */
function nextLink(path: string, pathValues: readonly string[], cursor: string, format: FormatName | null): string {
  const pattern = path.slice(path.lastIndexOf("/") + 1);
  // A path's last variable is the last of its values.
  const segment = pattern.startsWith("{") ? encodeURIComponent(pathValues.at(-1) ?? "") : pattern;
  const query = `${format === null ? "" : `format=${format}&`}cursor=${cursor}`;
  return `<${segment}?${query}>; rel="next"`;
}
