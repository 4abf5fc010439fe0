import { severities } from "../../src/domain/alert-types.ts";
import type { Database } from "../../src/store/database.ts";
import type { AlertRow } from "../../src/store/facts/alerts.ts";
import type { GeofenceEventRow } from "../../src/store/facts/geofence-events.ts";
import type { StopRow } from "../../src/store/facts/stops.ts";
import type { TripRow } from "../../src/store/facts/trips.ts";
import { sql } from "../../src/store/sql.ts";
import { Seed, type SeededDevice, type SeededUser } from "./seed.ts";
import { hourMs, noon } from "./seed-rows.ts";

export type WalkedRow = TripRow | StopRow | AlertRow | GeofenceEventRow;

/** More rows in each list than three parts of SQLite's and two of PostgreSQL's have. */
export interface WalkedFleet {
  readonly rows: {
    readonly trips: readonly TripRow[];
    readonly stops: readonly StopRow[];
    readonly alerts: readonly AlertRow[];
    readonly crossings: readonly GeofenceEventRow[];
  };
  /** Ids of a fence in which few vehicles stood, and of one in which none did. */
  readonly fence: string;
  readonly emptyFence: string;
  readonly viewers: readonly Viewer[];
  readonly devices: readonly SeededDevice[];
  readonly tagsOf: ReadonlyMap<string, readonly string[]>;
  readonly untilMs: number;
}

interface Viewer {
  readonly user: SeededUser;
  /** The ids of the devices that the user sees. */
  readonly sees: ReadonlySet<string>;
}

const deviceCount = 40;
const rowsOfBusyDevice = 100;
const stepMs = 600_000;
const minutes = (count: number) => count * 60_000;
/** Most are short; some lie at the borders of the classes by length. */
const rareLengths = [4, 16, 64].flatMap((hours) => [hours * hourMs - 1, hours * hourMs, hours * hourMs + 1]);

/** Every second device is quiet for the first two thirds of the time: a walk for a viewer of these finds nothing for long. */
export async function seedWalkedFleet(database: Database, random: () => number): Promise<WalkedFleet> {
  const below = (limit: number) => Math.floor(random() * limit);
  const seed = new Seed();
  const account = seed.account();
  const owner = seed.user(account, { role: "owner" });
  const [none, few, half, quiet, all] = Array.from({ length: 5 }, () => seed.user(account)) as Five<SeededUser>;
  const fence = seed.geofence(account);
  const other = seed.geofence(account);
  const emptyFence = seed.geofence(account);
  const rows = { trips: [], stops: [], alerts: [], crossings: [] } as Mutable<WalkedFleet["rows"]>;
  const devices: SeededDevice[] = [];
  const tagsOf = new Map<string, readonly string[]>();
  const sees = new Map([owner, none, few, half, quiet, all].map((user) => [user, new Set<string>()]));
  const spanMs = rowsOfBusyDevice * 3 * hourMs;

  const fill = (device: SeededDevice, isQuiet: boolean, isRemoved: boolean) => {
    let at = noon - hourMs * below(300) + (isQuiet ? (spanMs * 2) / 3 : 0);
    while (at < noon + spanMs) {
      const tripEnd = at + stepMs * (1 + below(6));
      const length = below(12) === 0 ? (rareLengths[below(rareLengths.length)] ?? 0) : stepMs * (1 + below(18));
      const fences = [fence.id, other.id, `${other.id} ${fence.id}`][below(60)] ?? "";
      const isLast = tripEnd + length >= noon + spanMs && below(2) === 0;
      const trip = seed.trip(device, { started_at: at, ended_at: tripEnd });
      const stop = seed.stop(device, {
        started_at: tripEnd,
        ended_at: isLast ? null : tripEnd + length,
        duration_ms: length,
        geofence_ids: fences,
      });
      // Many at one moment.
      const moment = noon + Math.floor((at - noon) / (8 * hourMs)) * 8 * hourMs;
      const isAcknowledged = below(4) === 0;
      const withdrawn = below(50) === 0;
      const alert = seed.alert(device, {
        occurred_at: moment,
        severity: severities[below(3)] ?? "info",
        alert_type: below(30) === 0 ? "sos" : "speeding",
        value: below(3) === 0 ? null : below(1000),
        withdrawn,
        ...(isAcknowledged ? { acknowledged_at: moment + 1, acknowledged_by: few.id } : {}),
      });
      const crossing = seed.crossing(device, fence, { occurred_at: moment });
      if (!isRemoved) {
        rows.trips.push(trip);
        rows.stops.push(stop);
        rows.crossings.push(crossing);
        if (!withdrawn) rows.alerts.push(alert);
      }
      at = tripEnd + length + minutes(below(2));
    }
  };

  for (let index = 0; index < deviceCount; index++) {
    const isQuiet = index % 2 === 1;
    const tags = [...(index % 3 === 0 ? ["cold"] : []), ...(index === 7 ? ["rare"] : [])];
    const seenBy = [all, ...(index < 3 ? [few] : []), ...(index % 4 < 2 ? [half] : []), ...(isQuiet ? [quiet] : [])];
    const device = seed.device(account, { tags_json: JSON.stringify(tags), seenBy });
    devices.push(device);
    tagsOf.set(device.id, tags);
    for (const user of [owner, ...seenBy]) sees.get(user)?.add(device.id);
    fill(device, isQuiet, false);
  }
  const removed = seed.device(account);
  fill(removed, false, true);
  // What is another account's is never among the rows.
  const stranger = seed.device(seed.account());
  for (let index = 0; index < 50; index++) seed.trip(stranger, { started_at: noon + index * hourMs });
  await seed.save(database);
  await database.transaction((tx) =>
    tx.run(
      sql`update devices set removed_at = ${noon} where account_id = ${account.account_id} and device = ${removed.device}`,
    ),
  );
  return {
    rows,
    fence: fence.id,
    emptyFence: emptyFence.id,
    viewers: [...sees].map(([user, ids]) => ({ user, sees: ids })),
    devices,
    tagsOf,
    untilMs: noon + spanMs,
  };
}

type Five<Value> = [Value, Value, Value, Value, Value];
type Mutable<Rows> = { -readonly [Name in keyof Rows]: Rows[Name] extends readonly (infer Row)[] ? Row[] : never };
