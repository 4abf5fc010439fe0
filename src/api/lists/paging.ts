import { Failure } from "../../domain/errors.ts";
import type { TimeWindow } from "../../domain/time/window.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import { type DeclaredFormats, listFormats } from "../formats/list-formats.ts";
import type { CursorContent } from "../input/cursor.ts";
import { narrowedDevice, noSuchDevice } from "../input/device-input.ts";
import { includeNames } from "../input/filters.ts";
import type { Parameter } from "../input/parameter.ts";
import { cursor, defaultLimit, deviceId, from, imeiParameter, limit, toTime } from "../input/parameters.ts";
import { listBody } from "../records/body.ts";
import type { ApiRecord } from "../records/record.ts";
import type { Answer, Route, RouteCall, RouteText } from "../route.ts";
import { recordsShown } from "./names.ts";
import { readWindow, windowProblems } from "./window.ts";

export const maxWindowDays = 31;
const ordinaryWindow = { from, to: toTime, maxDays: maxWindowDays };

export interface PagedList extends Omit<RouteText, "example"> {
  readonly record: Pick<ApiRecord<never>, "name" | "schema" | "example">;
  /** A request. It is answered with the record's example. */
  readonly example: string;
  /** Besides those of the page. All but the path, the device and the window are filters. */
  readonly parameters?: readonly Parameter<unknown>[];
  readonly needsDevice?: boolean;
  readonly conditional?: boolean;
  /** The key in the cursor is sealed, because its numbers would show how much data others have. */
  readonly isKeySealed?: boolean;
  /** What its records are in formats that need to know more than their fields. */
  readonly formats?: Omit<DeclaredFormats, "schema">;
  /** Problems with the combination of its own parameters. */
  readonly problems?: Route["problems"];
}

/** The requested page, by parameters or by a cursor. */
export interface PageRequest<Key> {
  readonly device: DeviceIdentity | null;
  readonly window: TimeWindow | null;
  readonly askedFrom: number | null;
  readonly filters: CursorContent["filters"];
  readonly limit: number;
  readonly after: Key | null;
}

export function filterValue<T>(page: PageRequest<unknown>, parameter: Parameter<T>): T | null {
  return filterIn(page, parameter) as T | null;
}

type AnswerPage<Key> = (call: RouteCall, page: PageRequest<Key>, cursorAfter: (key: Key) => string) => Promise<Answer>;

export function pagedRoute<Key>(list: PagedList, answer: AnswerPage<Key>): Route {
  const { path, operationId, tag, summary, description, scope, record, parameters = [] } = list;
  const { needsDevice = false, conditional = false, isKeySealed = false } = list;
  const formats = listFormats({ schema: record.schema, ...list.formats });
  const filters = [...parameters.filter(isFilter), formats.fields, includeNames];
  const isWindowed = parameters.includes(from);
  return {
    ...{ path, operationId, tag, summary, description, scope, conditional, windowed: isWindowed, needsDevice, formats },
    parameters: [...parameters, limit, cursor, ...formats.parameters],
    response: listBody(record.schema, record.name),
    example: { request: list.example, response: { data: [record.example], next_cursor: null } },
    problems(call) {
      const problems = isWindowed ? windowProblems(call, ordinaryWindow) : [];
      problems.push(...(list.problems?.(call) ?? []));
      if (needsDevice && ![deviceId, imeiParameter, cursor].some((parameter) => call.input.names(parameter))) {
        problems.push("device_id: expected a device, by device_id or by imei");
      }
      return [...problems, ...cursorProblems(call, endpointOf(list, call), filters)];
    },
    async answer(call) {
      const endpoint = endpointOf(list, call);
      const text = call.input.get(cursor);
      const page =
        text === null
          ? firstPage<Key>(call, isWindowed, filters, await narrowedDevice(call))
          : await laterPage<Key>(call, endpoint, text, isKeySealed);
      const shown = recordsShown(
        call,
        formats,
        filterValue(page, formats.fields),
        filterValue(page, includeNames) === true,
      );
      const keyAs = (key: Key) => (isKeySealed ? call.seals.seal(call.visibility.userId, JSON.stringify(key)) : key);
      return answer({ ...call, ...shown }, page, (key) => cursorAfter(call, endpoint, page, keyAs(key)));
    },
  };
}

function isFilter(parameter: Parameter<unknown>): boolean {
  return parameter.in === "query" && ![deviceId, imeiParameter, from, toTime].some((other) => other === parameter);
}

/** The path with its parameters filled in, whether or not the resource exists: a cursor belongs to one endpoint. */
function endpointOf({ path, parameters = [] }: PagedList, { input }: RouteCall): string {
  const ofPath = parameters.filter((parameter) => parameter.in === "path");
  return ofPath.reduce<string>((filled, one) => filled.replace(`{${one.name}}`, () => String(input.get(one))), path);
}

function firstPage<Key>(
  call: RouteCall,
  isWindowed: boolean,
  filters: readonly Parameter<unknown>[],
  device: DeviceIdentity | null,
): PageRequest<Key> {
  const { input } = call;
  const window = isWindowed ? readWindow(call, ordinaryWindow) : null;
  const values: Record<string, FilterValue> = {};
  for (const filter of filters as readonly Parameter<FilterValue>[]) {
    values[filter.name] = input.get(filter) ?? filter.schema.default ?? null;
  }
  return {
    device,
    window,
    askedFrom: window?.clamped ? input.get(from) : null,
    filters: values,
    limit: input.get(limit) ?? defaultLimit,
    after: null,
  };
}

type FilterValue = CursorContent["filters"][string];

async function laterPage<Key>(
  call: RouteCall,
  endpoint: string,
  text: string,
  isKeySealed: boolean,
): Promise<PageRequest<Key>> {
  const content = openCursor(call, endpoint, text);
  if (content === null) throw new Failure("INVALID_REQUEST", wrongCursor(cursor.expected));
  // Looked up again, because what the viewer sees may have changed since.
  const { cache, visibility, counters } = call;
  const device = content.deviceId === null ? null : await cache.device(visibility, { id: content.deviceId }, counters);
  if (content.deviceId !== null && device === null) throw noSuchDevice();
  const namedDevice = await narrowedDevice(call);
  if (namedDevice !== null && namedDevice.id !== content.deviceId) {
    throw new Failure("INVALID_REQUEST", contradiction(["device_id", "imei"]));
  }
  const { window, askedFrom, filters } = content;
  const pageSize = call.input.get(limit) ?? content.limit;
  const key = isKeySealed ? openedKey(call, content.key) : content.key;
  return { device, window, askedFrom, filters, limit: pageSize, after: key as Key };
}

/** Before 1.4 cursors of readings had an open one. */
function openedKey({ seals, visibility }: RouteCall, key: unknown): unknown {
  return typeof key === "string" ? JSON.parse(seals.open(visibility.userId, key) ?? "null") : key;
}

/** Null for a cursor that was not made for this endpoint and viewer. */
function openCursor({ cursors, visibility }: RouteCall, endpoint: string, text: string): CursorContent | null {
  const content = cursors.decode(text);
  return content?.endpoint === endpoint && content.userId === visibility.userId ? content : null;
}

function wrongCursor(expected: string): string {
  return `cursor: expected ${expected}`;
}

function contradiction(names: readonly string[]): string {
  return wrongCursor(`${names.map((name) => `\`${name}\``).join(" and ")} to be as in the first request, or left out`);
}

/** What is wrong with the cursor: it is not ours, or other parameters contradict it. */
function cursorProblems(call: RouteCall, endpoint: string, filters: readonly Parameter<unknown>[]): string[] {
  const { input } = call;
  const text = input.get(cursor);
  if (text === null) return [];
  const content = openCursor(call, endpoint, text);
  if (content === null) return [wrongCursor(cursor.expected)];
  const names: string[] = [];
  const askedFrom = input.get(from);
  if (askedFrom !== null && askedFrom !== content.window?.fromMs && askedFrom !== content.askedFrom) names.push("from");
  const askedTo = input.get(toTime);
  if (askedTo !== null && askedTo !== content.window?.toMs) names.push("to");
  for (const filter of filters) {
    const value = input.get(filter);
    if (value !== null && value !== filterIn(content, filter)) names.push(filter.name);
  }
  return names.length === 0 ? [] : [contradiction(names)];
}

/** A cursor of an earlier version lacks what was added since. */
function filterIn({ filters }: Pick<CursorContent, "filters">, { name, schema }: Parameter<unknown>): FilterValue {
  return filters[name] ?? schema.default ?? null;
}

function cursorAfter(call: RouteCall, endpoint: string, page: PageRequest<unknown>, key: unknown): string {
  const { device, window, askedFrom, filters, limit } = page;
  const { userId } = call.visibility;
  return call.cursors.encode({
    endpoint,
    userId,
    deviceId: device?.id ?? null,
    window,
    askedFrom,
    filters,
    limit,
    key,
  });
}
