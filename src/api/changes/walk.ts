import { fleetTypes } from "../../domain/changes/types.ts";
import type { LoggedChange } from "../../store/changes.ts";
import { changedRecords, type RecordChange } from "../../store/viewer-records.ts";
import type { RouteCall } from "../route.ts";
import { Buffered } from "./buffered.ts";
import { entryChanges, nothingPrepared, prepareEntries } from "./entry.ts";
import { fleetRecord, isOfDevice } from "./fleet-records.ts";
import { type LogPart, type LogWalk, readLog } from "./log-reader.ts";
import { changeJson, type Step, type WalkPlace } from "./place.ts";

export interface Walk extends LogWalk {
  readonly from: WalkPlace;
}

const maxRecords = 200;

/**
 * Tells what has changed, in the order of the commits; of one commit first the fleet's own records, then device by device.
 * The log says which records to read, so each is told as it is now. One that is gone meanwhile is left out: that it was
 * removed has a later number.
 */
export async function* walkChanges(call: RouteCall, walk: Walk): AsyncGenerator<Step, void, void> {
  const fleet = new Buffered<RecordChange>(Math.min(walk.limit, maxRecords), (after, count) =>
    readRecords(call, walk, after, count),
  );
  let place = walk.from;
  let part: LogPart = { entries: [], reached: place.log };
  let prepared = nothingPrepared;
  for (let next = 0; ; ) {
    if (next === part.entries.length && part.reached !== null) {
      // Nothing that is wanted up to here: the page may end.
      place = { ...place, log: part.reached };
      // A record of the fleet may be to come from before it.
      const number = Math.min(part.reached.number, (await fleet.peek())?.number ?? part.reached.number);
      yield { number, json: null, place };
      part = await readLog(call, walk, part.reached);
      prepared = await prepareEntries(call, part.entries, walk.types);
      next = 0;
    }
    const entry = part.entries[next] ?? null;
    if (entry === null && part.reached !== null) continue;
    const record = await fleet.peek();
    if (record !== null && (entry === null || record.number <= entry.number)) {
      fleet.skip();
      const { number, type, id } = record;
      place = { ...place, record: { number, type, id } };
      yield { number, json: await recordChange(call, record), place };
    } else if (entry !== null) {
      next++;
      for await (const step of entryChanges(call, walk, entry, place, prepared)) yield step;
      place = told(place, entry);
    } else return;
  }
}

function told(place: WalkPlace, entry: LoggedChange): WalkPlace {
  return { ...place, log: entry.place, within: null };
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

async function recordChange(call: RouteCall, record: RecordChange): Promise<string | null> {
  const { type, id, changed_at: changedAt } = record;
  const deviceId = isOfDevice(type) ? id : null;
  if (record.removed) return changeJson({ type, change: "removed", id, deviceId, changedAt, record: "null" });
  const json = await fleetRecord[type](call, id);
  return json === null ? null : changeJson({ type, change: "put", id, deviceId, changedAt, record: json });
}
