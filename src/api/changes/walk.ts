import { type FleetType, fleetTypes } from "../../domain/changes/types.ts";
import { changedRecords, type RecordChange } from "../../store/changes/viewer-records.ts";
import { alertSettingsOf as storedSettings } from "../../store/fleet/alert-settings.ts";
import { visibleDevice } from "../../store/fleet/devices.ts";
import { visibleGeofence } from "../../store/fleet/geofences.ts";
import { visiblePerson, visibleTag } from "../../store/fleet/seen-drivers.ts";
import { subAccount } from "../../store/fleet/users.ts";
import { alertSettings } from "../records/alert-settings.ts";
import { device } from "../records/device.ts";
import { driver } from "../records/driver.ts";
import { geofence } from "../records/geofence.ts";
import { user } from "../records/user.ts";
import type { RouteCall } from "../route.ts";
import { entryChanges, nothingPrepared, prepareEntries } from "./entry.ts";
import { type LogPart, type LogWalk, readLog } from "./log-reader.ts";
import { changeJson, placeAtRecord, type WalkPlace, type WalkStep } from "./place.ts";

export interface Walk extends LogWalk {
  readonly from: WalkPlace;
  /** Up to which number the follower knows what came back into its sight. */
  readonly sightUntil: number;
  /** The number of the last change that it was shown. */
  readonly shownUntil: number;
}

const maxRecords = 200;

/**
 * Reports what has changed, in the order of the commits; of one commit first the fleet's own records, then device by device.
 * The log says which records to read, so each is shown as it is now. One that is gone meanwhile is left out: that it was
 * removed has a later number.
 */
async function* walkChanges(call: RouteCall, walk: Walk): AsyncGenerator<WalkStep, void, void> {
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
      for await (const step of recordSteps(call, walk, record, place)) {
        place = step.place;
        yield step;
      }
    } else if (entry !== null) {
      next++;
      for await (const step of entryChanges(call, walk, entry, place.within, prepared)) yield step;
      place = { ...place, log: entry.place, within: null };
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

/** The changes of a record. A page may end within it. */
async function* recordSteps(
  call: RouteCall,
  walk: Walk,
  { number, type, id, ...record }: RecordChange,
  before: WalkPlace,
): AsyncGenerator<WalkStep, void, void> {
  const at = { number, type, id };
  const after = placeAtRecord(number, at);
  const changes = await recordChanges(call, walk, { ...at, ...record });
  const { begun } = before;
  const first = begun?.number === number && begun.type === type && begun.id === id ? begun.reported : 0;
  if (first >= changes.length) yield { number, json: null, place: after };
  for (const [index, json] of changes.entries()) {
    const reported = index + 1;
    if (index < first) continue;
    const isLast = reported === changes.length;
    yield { number, json, place: isLast ? after : placeAtRecord(number, before.record, { ...at, reported }) };
  }
}

/**
 * A device that left a sub-account's sight and came back, or was erased and loaded again, is removed first: so the follower
 * reads its past again, since the log was not followed meanwhile, or forgets it. Its settings went with it.
 */
async function recordChanges(call: RouteCall, walk: Walk, record: RecordChange): Promise<string[]> {
  const { type, changed_at: changedAt } = record;
  // A tag that nobody has named is its own id.
  const id = record.driver_id ?? record.id;
  const about = (of: FleetType) => ({ type: of, id, deviceId: isOfDevice(of) ? id : null, changedAt });
  const removed = changeJson({ ...about(type), change: "removed", record: "null" });
  if (record.removed) return [removed];
  const put = async (of: FleetType) => {
    const json = await fleetRecord[of](call, id, record);
    return json === null ? [] : [changeJson({ ...about(of), change: "put", record: json })];
  };
  const own = await put(type);
  const isReturn = type === "device" && record.since > walk.sightUntil;
  if (!isReturn || own.length === 0) return own;
  return [removed, ...own, ...(walk.types.has("alert_settings") ? await put("alert_settings") : [])];
}

/** A page that finds little ends after this time and goes on with the next one, so that no call takes long. */
const maxWalkMs = 300;

export interface ChangesPage {
  readonly records: readonly string[];
  readonly next: WalkPlace | null;
  /**
   * Everything up to this number has been reported. At the end it is the last that was shown: what there is after it is
   * none of the viewer's business.
   */
  readonly reportedUntil: number;
  readonly shownUntil: number;
}

export async function readChanges(call: RouteCall, walk: Walk): Promise<ChangesPage> {
  const started = performance.now();
  const records: string[] = [];
  let { from: place, shownUntil } = walk;
  // Of the step's number more is to come.
  const cutAt = ({ number }: WalkStep) => ({ records, next: place, reportedUntil: number - 1, shownUntil });
  for await (const step of walkChanges(call, walk)) {
    if (step.json === null) {
      if (records.length < walk.limit) place = step.place;
      if (performance.now() - started > maxWalkMs) return cutAt(step);
      continue;
    }
    if (records.length === walk.limit) return cutAt(step);
    records.push(step.json);
    place = step.place;
    shownUntil = step.number;
  }
  return { records, next: null, reportedUntil: shownUntil, shownUntil };
}

/** Rows of an ordered source, read some at a time. */
class Buffered<Row> {
  readonly #read: (after: Row | null) => Promise<readonly Row[]>;
  readonly #count: number;
  #rows: readonly Row[] = [];
  #next = 0;
  #isOver = false;

  /** `read` returns up to `count` rows after one. */
  constructor(count: number, read: (after: Row | null, count: number) => Promise<readonly Row[]>) {
    this.#count = count;
    this.#read = (after) => read(after, count);
  }

  /** The next row; null at the end. */
  async peek(): Promise<Row | null> {
    if (this.#next === this.#rows.length && !this.#isOver) {
      this.#rows = await this.#read(this.#rows.at(-1) ?? null);
      this.#next = 0;
      this.#isOver = this.#rows.length < this.#count;
    }
    return this.#rows[this.#next] ?? null;
  }

  skip(): void {
    this.#next++;
  }
}

type Viewing = Pick<RouteCall, "database" | "visibility">;

/** A record of the fleet as its list shows it; null if the viewer does not see it any more. */
const fleetRecord: Readonly<
  Record<FleetType, (call: Viewing, id: string, record: RecordChange) => Promise<string | null>>
> = {
  device: async ({ database, visibility }, id) => shown(device, await visibleDevice(database, visibility, { id })),
  geofence: async ({ database, visibility }, id) => shown(geofence, await visibleGeofence(database, visibility, id)),
  user: async ({ database, visibility }, id) => shown(user, await subAccount(database, visibility, id)),
  alert_settings: async ({ database, visibility }, id) =>
    shown(alertSettings, await storedSettings(database, visibility, id)),
  driver: async ({ database, visibility }, id, { driver_id }) =>
    shown(driver, await (driver_id === null ? visiblePerson : visibleTag)(database, visibility, id)),
};

function shown<Row>({ json }: { readonly json: (rows: readonly Row[]) => string }, row: Row | null): string | null {
  return row === null ? null : json([row]);
}

function isOfDevice(type: FleetType): boolean {
  return type === "device" || type === "alert_settings";
}
