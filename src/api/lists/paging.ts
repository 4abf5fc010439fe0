import { Failure } from "../../domain/errors.ts";
import { utc } from "../../domain/time/time-zone.ts";
import type { TimeWindow } from "../../domain/time/window.ts";
import type { DeviceIdentity } from "../../store/fleet/devices.ts";
import { type DeclaredFormats, listFormats } from "../formats/list-formats.ts";
import type { CursorContent } from "../input/cursor.ts";
import { narrowedDevice, noSuchDevice } from "../input/device-input.ts";
import { includeNames } from "../input/filters.ts";
import type { Input, Parameter } from "../input/parameter.ts";
import { cursor, defaultLimit, deviceId, from, imeiParameter, limit, toTime } from "../input/parameters.ts";
import { isShortCursor, isSigned, readShortCursor, shortCursor } from "../input/short-cursor.ts";
import { listBody } from "../records/body.ts";
import type { ApiRecord } from "../records/record.ts";
import type { Answer, Route, RouteCall, RouteText } from "../route.ts";
import { recordsShown } from "./names.ts";
import { askedStart, type ListWindow, otherWindow, readWindow, windowProblems } from "./window.ts";

export const maxWindowDays = 31;
const ordinaryWindow: ListWindow = { from, to: toTime, maxDays: maxWindowDays };

export interface PagedList extends Omit<RouteText, "example"> {
  readonly record: Pick<ApiRecord<never>, "name" | "schema" | "example">;
  /** A request. It is answered with the record's example. */
  readonly example: string;
  /** Besides those of the page. All but the path, the device and the window are filters. */
  readonly parameters?: readonly Parameter<unknown>[];
  readonly needsDevice?: boolean;
  /** Of a list whose window is not the ordinary one. */
  readonly window?: ListWindow;
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
  const ownWindow = list.window ?? ordinaryWindow;
  const window = parameters.some((parameter) => parameter === ownWindow.from) ? ownWindow : null;
  const notFilters = [deviceId, imeiParameter, ownWindow.from, ownWindow.to] as readonly Parameter<unknown>[];
  const isFilter = (one: Parameter<unknown>) => one.in === "query" && !notFilters.includes(one);
  const filters = [...parameters.filter(isFilter), formats.fields, includeNames];
  const isWindowed = window !== null;
  return {
    ...{ path, operationId, tag, summary, description, scope, conditional, windowed: isWindowed, needsDevice, formats },
    parameters: [...parameters, limit, cursor, ...formats.parameters],
    response: listBody(record.schema, record.name),
    example: { request: list.example, response: { data: [record.example], next_cursor: null } },
    problems(call) {
      const problems = window ? windowProblems(call, window) : [];
      problems.push(...(list.problems?.(call) ?? []));
      if (needsDevice && ![deviceId, imeiParameter, cursor].some((parameter) => call.input.names(parameter))) {
        problems.push("device_id: expected a device, by device_id or by imei");
      }
      return [...problems, ...cursorProblems(call, endpointOf(list, call), filters, window)];
    },
    async answer(call) {
      const endpoint = endpointOf(list, call);
      const text = call.input.get(cursor);
      const page =
        text === null
          ? await firstPage<Key>(call, window, filters)
          : isShortCursor(text)
            ? await pageOfShort<Key>(call, endpoint, text, isKeySealed, window, filters)
            : await laterPage<Key>(call, endpoint, text, isKeySealed, window);
      const shown = recordsShown(
        { ...call, input: withFilters(call.input, filters, page.filters) },
        formats,
        filterValue(page, formats.fields),
        filterValue(page, includeNames) === true,
      );
      const keyAs = (key: Key) => (isKeySealed ? call.seals.seal(call.visibility.userId, JSON.stringify(key)) : key);
      return answer({ ...call, ...shown }, page, (key) => cursorAfter(call, endpoint, page, keyAs(key)));
    },
  };
}

/** As if the request named the filters that its cursor carries: by them some lists have other rows. */
function withFilters(input: Input, filters: readonly Parameter<unknown>[], values: CursorContent["filters"]): Input {
  const named = filters.filter((filter) => (values[filter.name] ?? null) !== null);
  return input.with(new Map(named.map((filter) => [filter, values[filter.name]])));
}

/** The path with its parameters filled in, whether or not the resource exists: a cursor belongs to one endpoint. */
function endpointOf({ path, parameters = [] }: PagedList, { input }: RouteCall): string {
  const ofPath = parameters.filter((parameter) => parameter.in === "path");
  return ofPath.reduce<string>((filled, one) => filled.replace(`{${one.name}}`, () => String(input.get(one))), path);
}

async function firstPage<Key>(
  call: RouteCall,
  listWindow: ListWindow | null,
  filters: readonly Parameter<unknown>[],
): Promise<PageRequest<Key>> {
  const { input } = call;
  const zone = (await listWindow?.zoneOf?.(call)) ?? utc;
  const window = listWindow && readWindow(call, listWindow, zone);
  const device = await narrowedDevice(call);
  return {
    device,
    window,
    askedFrom: listWindow && askedStart(call, listWindow, window, zone),
    filters: filterValues(input, filters),
    limit: input.get(limit) ?? defaultLimit,
    after: null,
  };
}

type FilterValue = CursorContent["filters"][string];

function filterValues(input: Input, filters: readonly Parameter<unknown>[]): CursorContent["filters"] {
  const values: Record<string, FilterValue> = {};
  for (const filter of filters as readonly Parameter<FilterValue>[]) {
    const given = input.get(filter);
    if (given !== null || !filter.isInCursorIfGiven) values[filter.name] = given ?? filter.schema.default ?? null;
  }
  return values;
}

async function laterPage<Key>(
  call: RouteCall,
  endpoint: string,
  text: string,
  isKeySealed: boolean,
  listWindow: ListWindow | null,
): Promise<PageRequest<Key>> {
  const content = openCursor(call, endpoint, text);
  if (content === null) throw new Failure("INVALID_REQUEST", wrongCursor(cursor.expected));
  if (listWindow?.zoneOf) {
    const others = otherWindow(call, listWindow, content.window, content.askedFrom, await listWindow.zoneOf(call));
    if (others.length > 0) throw new Failure("INVALID_REQUEST", contradiction(others));
  }
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

/** The page after a short cursor, if the request is otherwise as it was. */
async function pageOfShort<Key>(
  call: RouteCall,
  endpoint: string,
  text: string,
  isKeySealed: boolean,
  listWindow: ListWindow | null,
  filters: readonly Parameter<unknown>[],
): Promise<PageRequest<Key>> {
  const place = readShortCursor(text);
  const device = await narrowedDevice(call);
  const { window = null, limit: pageSize = defaultLimit, key = null } = place ?? {};
  const content = {
    ...{ endpoint, userId: call.visibility.userId, deviceId: device?.id ?? null, askedFrom: null },
    ...{ window, filters: filterValues(call.input, filters), limit: pageSize, key },
  };
  const zone = (await listWindow?.zoneOf?.(call)) ?? utc;
  // One that was clamped began before.
  const others = listWindow && !window?.clamped ? otherWindow(call, listWindow, window, null, zone) : [];
  if (!place || others.length > 0 || !isSigned(content, place.mac, (signed) => call.cursors.sign(signed))) {
    throw new Failure(
      "INVALID_REQUEST",
      wrongCursor("the next_cursor of the page before, with the same other parameters"),
    );
  }
  const after = (isKeySealed ? openedKey(call, key) : key) as Key;
  return { device, window, askedFrom: null, filters: content.filters, limit: call.input.get(limit) ?? pageSize, after };
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
function cursorProblems(
  call: RouteCall,
  endpoint: string,
  filters: readonly Parameter<unknown>[],
  window: ListWindow | null,
): string[] {
  const { input } = call;
  const text = input.get(cursor);
  if (text === null || isShortCursor(text)) return [];
  const content = openCursor(call, endpoint, text);
  if (content === null) return [wrongCursor(cursor.expected)];
  const names = window ? otherWindow(call, window, content.window, content.askedFrom, null) : [];
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
  const content = { endpoint, userId, deviceId: device?.id ?? null, window, askedFrom, filters, limit, key };
  return call.hasShortCursors ? shortCursor(content, (text) => call.cursors.sign(text)) : call.cursors.encode(content);
}
