import type { ChangedPeriod } from "../../domain/changes/device-change.ts";
import { type ChangeType, type TrackedType, trackedTypes } from "../../domain/changes/types.ts";
import type { LoggedChange } from "../../store/changes/changes.ts";
import type { RouteCall } from "../route.ts";
import { changeJson, placeWithin, type WalkPlace, type WalkStep } from "./place.ts";
import { type RecordAt, trackedLists } from "./tracked-records.ts";

/** What is known of some entries before they are reported one by one. */
export interface PreparedEntries {
  /** Parts that a later entry has again. */
  readonly repeated: ReadonlySet<string>;
  readonly records: RecordsAt;
}

export const nothingPrepared: PreparedEntries = { repeated: new Set(), records: new Map() };

/** Of a long entry a page may show a small part: it is read as it is reported. */
const maxPeriods = 32;

export async function prepareEntries(
  call: RouteCall,
  entries: readonly LoggedChange[],
  types: ReadonlySet<ChangeType>,
): Promise<PreparedEntries> {
  const repeated = new Set(repeatedLater(entries));
  const short = entries.filter(({ change }) =>
    trackedTypes.every((type) => (change.periods[type]?.length ?? 0) <= maxPeriods),
  );
  const isSkipped = (entry: LoggedChange, type: TrackedType, period: ChangedPeriod) =>
    repeated.has(repeatedKey(entry, type, period));
  return { repeated, records: await recordsAtMoments(call, short, types, isSkipped) };
}

/** An entry of the log in parts: first what was removed, then what is there. */
type EntryPart =
  | { readonly type: TrackedType; readonly removed: readonly string[] }
  | { readonly type: TrackedType; readonly period: ChangedPeriod };

function partsOf({ change }: LoggedChange, types: ReadonlySet<ChangeType>): EntryPart[] {
  const wanted = trackedTypes.filter((type) => types.has(type));
  const removed = wanted.flatMap((type): EntryPart[] => {
    const ids = change.removed[type];
    return ids === undefined ? [] : [{ type, removed: ids }];
  });
  const put = wanted.flatMap((type) => (change.periods[type] ?? []).map((period): EntryPart => ({ type, period })));
  return [...removed, ...put];
}

/** Of the entry's parts: if others were merged into it meanwhile, or other types are asked for, it is reported from its start. */
function digestOf({ text }: LoggedChange, types: ReadonlySet<ChangeType>): string {
  const wanted = trackedTypes.filter((type) => types.has(type)).join();
  return Bun.hash.xxHash32(wanted + text).toString(36);
}

const maxRead = 200;

/** Reports one entry, from a place within it: each record as it is now. */
export async function* entryChanges(
  call: RouteCall,
  { types, limit }: { readonly types: ReadonlySet<ChangeType>; readonly limit: number },
  entry: LoggedChange,
  within: WalkPlace["within"],
  prepared: PreparedEntries,
): AsyncGenerator<WalkStep, void, void> {
  const { number, device, deviceId, imei, changedAt } = entry;
  const digest = digestOf(entry, types);
  const isBegun = within?.number === number && within.device === device && within.digest === digest;
  const begun = isBegun ? within : null;
  const step = (json: string, part: number, key: unknown): WalkStep => ({
    number,
    json,
    place: placeWithin(entry.place, { number, device, digest, part, key }),
  });
  const range = { device: { device, id: deviceId, imei }, count: Math.min(limit + 1, maxRead) };
  const parts = partsOf(entry, types);
  let { records } = prepared;
  for (const [index, part] of parts.entries()) {
    if (begun !== null && index < begun.part) continue;
    const start = begun?.part === index ? begun.key : null;
    const { type } = part;
    if ("removed" in part) {
      const first = start === null ? 0 : (start as number) + 1;
      for (const [offset, id] of part.removed.slice(first).entries()) {
        const json = changeJson({ type, change: "removed", id, deviceId, changedAt, record: "null" });
        yield step(json, index, first + offset);
      }
      continue;
    }
    const { period } = part;
    if (prepared.repeated.has(repeatedKey(entry, type, period))) continue;
    const moment = start === null ? momentKey(type, device, period) : null;
    if (moment !== null && !records.has(moment)) {
      const periods = parts
        .slice(index, index + maxRead)
        .flatMap((next) => (next.type === type && "period" in next ? [next.period] : []));
      const some: LoggedChange = { ...entry, change: { periods: { [type]: periods }, removed: {} } };
      records = await recordsAtMoments(call, [some], types, () => false);
    }
    const together = moment === null ? undefined : records.get(moment);
    for (let after = start; ; ) {
      const found = together ?? (await trackedLists[type].within(call, { ...range, period, after }));
      for (const { id, json, key } of found) {
        yield step(changeJson({ type, change: "put", id, deviceId, changedAt, record: json }), index, key);
      }
      if (together !== undefined || found.length < range.count) break;
      after = found.at(-1)?.key ?? null;
    }
  }
}

/** A single record's part of an entry: a trip in progress, a day. */
function repeatedKey({ number, device }: LoggedChange, type: TrackedType, [from, until]: ChangedPeriod): string {
  return `${number} ${device} ${type} ${from} ${until}`;
}

/** Parts that a later entry has again, such as a trip in progress, come once. Positions mostly do anyway. */
function repeatedLater(entries: readonly LoggedChange[]): string[] {
  const later = new Set<string>();
  const repeated: string[] = [];
  for (const entry of entries.toReversed()) {
    for (const type of trackedTypes) {
      if (type === "position" || type === "reading") continue;
      for (const period of entry.change.periods[type] ?? []) {
        const what = `${entry.device} ${type} ${period[0]} ${period[1]}`;
        if (later.has(what)) repeated.push(repeatedKey(entry, type, period));
        later.add(what);
      }
    }
  }
  return repeated;
}

type RecordsAt = ReadonlyMap<string, readonly RecordAt[]>;

/** Null for a period that is more than a moment. */
function momentKey(type: TrackedType, device: number, [from, until]: ChangedPeriod): string | null {
  return from === until ? `${type} ${device} ${from}` : null;
}

/**
 * Most entries of the log are about one frame, one trip and one day. Those of many entries are read together: one
 * statement for each type instead of three for each entry. `isSkipped`: it need not be read.
 */
async function recordsAtMoments(
  call: RouteCall,
  entries: readonly LoggedChange[],
  types: ReadonlySet<ChangeType>,
  isSkipped: (entry: LoggedChange, type: TrackedType, period: ChangedPeriod) => boolean,
): Promise<RecordsAt> {
  const found = new Map<string, RecordAt[]>();
  await Promise.all(
    trackedTypes
      .filter((type) => types.has(type))
      .map(async (type) => {
        const moments = new Map<string, { readonly device: number; readonly at: number }>();
        for (const entry of entries) {
          for (const period of entry.change.periods[type] ?? []) {
            const key = momentKey(type, entry.device, period);
            if (key === null || isSkipped(entry, type, period)) continue;
            moments.set(key, { device: entry.device, at: period[0] });
            found.set(key, []);
          }
        }
        if (moments.size === 0) return;
        for (const record of await trackedLists[type].at(call, [...moments.values()])) {
          found.get(`${type} ${record.device} ${record.at}`)?.push(record);
        }
      }),
  );
  return found;
}
