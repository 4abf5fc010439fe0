import { type ChangeType, fleetTypes, trackedTypes } from "../../domain/changes.ts";
import { type LoggedChange, loggedChanges } from "../../store/changes.ts";
import type { DeviceIdentity } from "../../store/devices.ts";
import { changedRecords, type RecordChange } from "../../store/viewer-records.ts";
import type { RouteCall } from "../route.ts";
import { nextTurn } from "../turns.ts";
import { Buffered } from "./buffered.ts";
import { entryChanges, nothingPrepared, prepareEntries } from "./entry.ts";
import { fleetRecord, isOfDevice } from "./fleet-records.ts";
import { changeJson, type Step, type WalkPlace } from "./place.ts";

export interface Walk {
  readonly from: WalkPlace;
  /** The last number. */
  readonly until: number;
  readonly types: ReadonlySet<ChangeType>;
  readonly device: DeviceIdentity | null;
  /** How many records the page has. */
  readonly limit: number;
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
  let prepared = nothingPrepared;
  const log = new Buffered<LoggedChange>(count, async (after, count) => {
    const entries = await readLog(call, walk, after, count);
    prepared = await prepareEntries(call, entries, walk.types);
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
      for await (const step of entryChanges(call, walk, entry, place, prepared)) yield step;
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
