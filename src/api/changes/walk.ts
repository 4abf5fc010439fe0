import {
  type ChangeType,
  type FleetType,
  fleetTypes,
  formatChange,
  type Period,
  type TrackedType,
  trackedTypes,
} from "../../domain/changes.ts";
import { formatInstant } from "../../domain/time.ts";
import { type ChangePlace, type LoggedChange, loggedChanges } from "../../store/changes.ts";
import type { DeviceIdentity } from "../../store/devices.ts";
import { changedRecords, type RecordChange, type RecordPlace } from "../../store/viewer-records.ts";
import { accountViewer } from "../../store/viewers.ts";
import type { RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";
import { Buffered } from "./buffered.ts";
import { fleetRecord, isOfDevice } from "./fleet-records.ts";
import { repeatedKey, repeatedLater } from "./repeated.ts";
import { trackedRecords } from "./tracked-records.ts";

/** Where a walk has come to, between two records. */
export interface WalkPlace {
  readonly record: RecordPlace;
  readonly log: ChangePlace;
  /** How far the next entry of the log was told, if it was begun. */
  readonly within: (ChangePlace & { readonly digest: string; readonly part: number; readonly key: unknown }) | null;
}

/** After everything up to a number. */
export function placeAfter(number: number): WalkPlace {
  return {
    record: { number: number + 1, type: "" as FleetType, id: accountViewer },
    log: { number, device: Number.MAX_SAFE_INTEGER },
    within: null,
  };
}

export interface Walk {
  readonly from: WalkPlace;
  /** The last number. */
  readonly until: number;
  readonly types: ReadonlySet<ChangeType>;
  readonly device: DeviceIdentity | null;
  /** How many records the page has. */
  readonly limit: number;
}

/** What a step of the walk has found. */
export interface Step {
  readonly number: number;
  /** Null: nothing that is wanted, up to this place. */
  readonly json: string | null;
  readonly place: WalkPlace;
}

const maxBatch = 200;

/**
 * Tells what has changed, in the order of the commits; of one commit first the fleet's own records, then device by device.
 * The log says which records to read, so each is told as it is now. One that is gone meanwhile is left out: that it was
 * removed has a later number.
 */
export async function* walkChanges(call: RouteCall, walk: Walk): AsyncGenerator<Step, void, void> {
  const count = Math.min(walk.limit, maxBatch);
  const fleet = new Buffered<RecordChange>(count, (after, count) => readRecords(call, walk, after, count));
  const repeated = new Set<string>();
  const log = new Buffered<LoggedChange>(count, async (after, count) => {
    const entries = await readLog(call, walk, after, count);
    for (const key of repeatedLater(entries)) repeated.add(key);
    return entries;
  });
  let place = walk.from;
  for (let skipped = 0; ; skipped++) {
    // SQLite answers at once: let others have a turn.
    if (skipped % maxBatch === maxBatch - 1) await nextTurn();
    const record = await fleet.peek();
    const entry = await log.peek();
    if (record !== null && (entry === null || record.number <= entry.number)) {
      fleet.skip();
      const { number, type, id } = record;
      place = { ...place, record: { number, type, id } };
      yield { number, json: await recordChange(call, record), place };
    } else if (entry !== null) {
      log.skip();
      const { number, device } = entry;
      for await (const step of entryChanges(call, walk, entry, place, repeated)) yield step;
      place = { ...place, log: { number, device }, within: null };
      yield { number, json: null, place };
    } else return;
  }
}

async function readRecords(
  { database, visibility }: RouteCall,
  { from, until, types, device }: Walk,
  after: RecordChange | null,
  count: number,
): Promise<readonly RecordChange[]> {
  const wanted = fleetTypes.filter((type) => types.has(type) && (device === null || isOfDevice(type)));
  if (wanted.length === 0) return [];
  const id = device?.id ?? null;
  return changedRecords(database, visibility, { after: after ?? from.record, until, count, types: wanted, id });
}

async function readLog(
  { database, visibility }: RouteCall,
  { from, until, types, device }: Walk,
  after: LoggedChange | null,
  count: number,
): Promise<readonly LoggedChange[]> {
  const wanted = new Set(trackedTypes.filter((type) => types.has(type)));
  const page = { after: after ?? from.log, until, device: device?.device ?? null, types: wanted, count };
  return loggedChanges(database, visibility, page);
}

async function recordChange(call: RouteCall, record: RecordChange): Promise<string | null> {
  const { type, id, changed_at: changedAt } = record;
  const deviceId = isOfDevice(type) ? id : null;
  if (record.removed) return changeJson({ type, change: "removed", id, deviceId, changedAt, record: "null" });
  const json = await fleetRecord[type](call, id);
  return json === null ? null : changeJson({ type, change: "put", id, deviceId, changedAt, record: json });
}

/** An entry of the log in parts: first what was removed, then what is there. */
type Part =
  | { readonly type: TrackedType; readonly removed: readonly string[] }
  | { readonly type: TrackedType; readonly period: Period; readonly list: number };

function partsOf({ change }: LoggedChange, types: ReadonlySet<ChangeType>): Part[] {
  const wanted = trackedTypes.filter((type) => types.has(type));
  const removed = wanted.flatMap((type): Part[] => {
    const ids = change.removed[type];
    return ids === undefined ? [] : [{ type, removed: ids }];
  });
  const put = wanted.flatMap((type) =>
    (change.periods[type] ?? []).flatMap((period) =>
      trackedRecords[type].map((_, list): Part => ({ type, period, list })),
    ),
  );
  return [...removed, ...put];
}

/** Of the entry's parts: if others were merged into it meanwhile, or other types are asked for, it is told from its start. */
function digestOf({ change }: LoggedChange, types: ReadonlySet<ChangeType>): string {
  const wanted = trackedTypes.filter((type) => types.has(type)).join();
  return Bun.hash.xxHash32(wanted + formatChange(change)).toString(36);
}

async function* entryChanges(
  call: RouteCall,
  { types, limit }: Walk,
  entry: LoggedChange,
  before: WalkPlace,
  repeated: ReadonlySet<string>,
): AsyncGenerator<Step, void, void> {
  const { number, device, deviceId, imei, changedAt } = entry;
  const { within } = before;
  const digest = digestOf(entry, types);
  const isBegun = within?.number === number && within.device === device && within.digest === digest;
  const begun = isBegun ? within : null;
  const step = (json: string, part: number, key: unknown): Step => ({
    number,
    json,
    place: { ...before, within: { number, device, digest, part, key } },
  });
  const identity = { device, id: deviceId, imei };
  const count = Math.min(limit + 1, maxBatch);
  for (const [index, part] of partsOf(entry, types).entries()) {
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
    if (repeated.has(repeatedKey(entry, type, part.period))) continue;
    const read = trackedRecords[type][part.list];
    for (let after = start; read !== undefined; ) {
      const found = await read(call, { device: identity, period: part.period, after, count });
      for (const { id, json, key } of found) {
        yield step(changeJson({ type, change: "put", id, deviceId, changedAt, record: json }), index, key);
      }
      if (found.length < count) break;
      after = found.at(-1)?.key ?? null;
    }
  }
}

function changeJson(of: {
  readonly type: ChangeType;
  readonly change: "put" | "removed";
  readonly id: string;
  readonly deviceId: string | null;
  readonly changedAt: number;
  readonly record: string;
}): string {
  const { type, change, id, deviceId, changedAt, record } = of;
  const about = JSON.stringify({ type, change, id, device_id: deviceId, changed_at: formatInstant(changedAt) });
  return `${about.slice(0, -1)},"record":${record}}`;
}
