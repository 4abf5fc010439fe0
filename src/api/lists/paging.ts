import { Failure } from "../../domain/errors.ts";
import { earliestMs, formatInstant } from "../../domain/time.ts";
import { resolveWindow, type Window } from "../../domain/window.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import type { CursorContent } from "../input/cursor.ts";
import { narrowedDevice, noSuchDevice } from "../input/device-input.ts";
import type { Parameter } from "../input/parameter.ts";
import { cursor, defaultLimit, deviceId, from, imei, limit, to } from "../input/parameters.ts";
import type { RouteCall } from "../route.ts";

type FilterValue = string | number | boolean | null;

/** What distinguishes one list from another. */
export interface ListRules {
  /** The endpoint with its path parameters filled in: a cursor belongs to one endpoint. */
  readonly endpoint: string;
  readonly filters: readonly { readonly parameter: Parameter<FilterValue>; readonly otherwise: FilterValue }[];
  /** Null: the list has no window. */
  readonly maxSpanDays: number | null;
  readonly needsDevice: boolean;
}

/** The requested page, by parameters or by a cursor. */
export interface PageRequest<Key> {
  readonly device: DeviceIdentity | null;
  readonly window: Window | null;
  readonly askedFrom: number | null;
  readonly filters: Readonly<Record<string, FilterValue>>;
  readonly limit: number;
  readonly after: Key | null;
}

export async function readPage<Key>(call: RouteCall, rules: ListRules): Promise<PageRequest<Key>> {
  const text = call.input.get(cursor);
  return text === null ? firstPage(call, rules, await narrowedDevice(call)) : laterPage(call, rules, text);
}

function firstPage<Key>(call: RouteCall, rules: ListRules, device: DeviceIdentity | null): PageRequest<Key> {
  const { input, now } = call;
  const window = rules.maxSpanDays === null ? null : readWindow(call, rules.maxSpanDays, now);
  const filters: Record<string, FilterValue> = {};
  for (const { parameter, otherwise } of rules.filters) filters[parameter.name] = input.get(parameter) ?? otherwise;
  return {
    device,
    window,
    askedFrom: window?.clamped ? input.get(from) : null,
    filters,
    limit: input.get(limit) ?? defaultLimit,
    after: null,
  };
}

export function emptyWindow(isFromNamed: boolean, isToNamed: boolean): string {
  // Without `from` it is empty only if there is no time before `to`.
  if (!isFromNamed) return `to: expected a time later than ${formatInstant(earliestMs)}`;
  const expected = "from: expected a time earlier than `to`";
  return isToNamed ? expected : `${expected}, which is now unless named`;
}

function readWindow({ input }: RouteCall, maxSpanDays: number, now: number): Window {
  const window = resolveWindow(input.get(from), input.get(to), now, maxSpanDays);
  if (window === null) throw new Failure("INVALID_REQUEST", emptyWindow(input.names(from), input.names(to)));
  return window;
}

async function laterPage<Key>(call: RouteCall, rules: ListRules, text: string): Promise<PageRequest<Key>> {
  const content = openCursor(call, rules, text);
  if (content === null) throw new Failure("INVALID_REQUEST", wrongCursor(cursor.expected));
  // Looked up again, because what the viewer sees may have changed since.
  const device = content.deviceId === null ? null : await call.cache.device(call.visibility, content.deviceId);
  if (content.deviceId !== null && device === null) throw noSuchDevice();
  const namedDevice = await narrowedDevice(call);
  if (namedDevice !== null && namedDevice.id !== content.deviceId) {
    throw new Failure(
      "INVALID_REQUEST",
      wrongCursor("`device_id` and `imei` to be as in the first request, or left out"),
    );
  }
  return {
    device,
    window: content.window,
    askedFrom: content.askedFrom,
    filters: content.filters,
    limit: call.input.get(limit) ?? content.limit,
    after: content.key as Key,
  };
}

/** Null for a cursor that was not made for this endpoint and viewer. */
function openCursor({ cursors, visibility }: RouteCall, { endpoint }: ListRules, text: string): CursorContent | null {
  const content = cursors.decode(text);
  return content?.endpoint === endpoint && content.userId === visibility.userId ? content : null;
}

function wrongCursor(expected: string): string {
  return `cursor: expected ${expected}`;
}

/** What is wrong with the request for a page as a whole, not with single parameters. */
export function pageProblems(call: RouteCall, rules: ListRules): string[] {
  const { input } = call;
  const problems = rules.maxSpanDays === null ? [] : windowProblems(call, rules.maxSpanDays);
  if (rules.needsDevice && ![deviceId, imei, cursor].some((parameter) => input.names(parameter))) {
    problems.push("device_id: expected a device, by device_id or by imei");
  }
  const text = input.get(cursor);
  if (text === null) return problems;
  const content = openCursor(call, rules, text);
  if (content === null) return [...problems, wrongCursor(cursor.expected)];
  const contradicting = contradictingParameters(call, rules, content);
  if (contradicting.length === 0) return problems;
  return [
    ...problems,
    wrongCursor(
      `${contradicting.map((name) => `\`${name}\``).join(" and ")} to be as in the first request, or left out`,
    ),
  ];
}

/** A time that could not be read, or that may be in a cursor, cannot be compared with the other. */
function windowProblems({ input, now }: RouteCall, maxSpanDays: number): string[] {
  const [fromMs, toMs] = [input.get(from), input.get(to)];
  const isUnread = [from, to].some((time) => input.names(time) && input.get(time) === null);
  const mayBeInCursor = input.names(cursor) && (fromMs === null || toMs === null);
  if (isUnread || mayBeInCursor) return [];
  return resolveWindow(fromMs, toMs, now, maxSpanDays) === null
    ? [emptyWindow(input.names(from), input.names(to))]
    : [];
}

/** The parameters that contradict the cursor. */
function contradictingParameters({ input }: RouteCall, rules: ListRules, content: CursorContent): string[] {
  const names: string[] = [];
  const askedFrom = input.get(from);
  if (askedFrom !== null && askedFrom !== content.window?.fromMs && askedFrom !== content.askedFrom) names.push("from");
  const askedTo = input.get(to);
  if (askedTo !== null && askedTo !== content.window?.toMs) names.push("to");
  for (const { parameter } of rules.filters) {
    const value = input.get(parameter);
    if (value !== null && value !== content.filters[parameter.name]) names.push(parameter.name);
  }
  return names;
}

/** The cursor for the page after this one. */
export function nextCursor<Key>(call: RouteCall, rules: ListRules, page: PageRequest<Key>, key: Key): string {
  return call.cursors.encode({
    endpoint: rules.endpoint,
    userId: call.visibility.userId,
    deviceId: page.device?.id ?? null,
    window: page.window,
    askedFrom: page.askedFrom,
    filters: page.filters,
    limit: page.limit,
    key,
  });
}

/** Headers that say which window was used. */
export function windowHeaders(window: Window): Record<string, string> {
  return {
    "X-Window-From": formatInstant(window.fromMs),
    "X-Window-To": formatInstant(window.toMs),
    ...(window.clamped ? { "X-Window-Clamped": "true" } : {}),
  };
}
