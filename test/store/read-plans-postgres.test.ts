import { expect, test } from "bun:test";
import { sensorReadings } from "../../src/api/lists/sensor-readings.ts";
import { exampleFrame } from "../../src/api/records/position.ts";
import { accepted } from "../../src/domain/verdict.ts";
import { type Visibility, visibilityOf } from "../../src/domain/visibility.ts";
import { encodeFrames } from "../../src/store/blocks/frame-block.ts";
import { lineContent } from "../../src/store/blocks/frame-line.ts";
import type { Reader } from "../../src/store/database.ts";
import { alerts } from "../../src/store/facts/alerts.ts";
import { alertSums, devicesWithFrames, driveSums, tripMoments, worstAlerts } from "../../src/store/facts/fleet-days.ts";
import { geofenceEvents } from "../../src/store/facts/geofence-events.ts";
import { mileageDays } from "../../src/store/facts/mileage.ts";
import { mileageGroups, mileageSums } from "../../src/store/facts/mileage-sums.ts";
import { stops } from "../../src/store/facts/stops.ts";
import { trips } from "../../src/store/facts/trips.ts";
import { visibleDeviceStates, visibleDevices } from "../../src/store/fleet/devices.ts";
import { deviceGeofences, geofences } from "../../src/store/fleet/geofences.ts";
import { subAccounts } from "../../src/store/fleet/users.ts";
import { framesAtMoments } from "../../src/store/frames/frames-at.ts";
import { history, latestPositions } from "../../src/store/frames/positions.ts";
import { devicesAt, frameBefore } from "../../src/store/frames/positions-at.ts";
import { plainSql } from "../../src/store/sql.ts";
import { onEachEngine } from "../support/engines.ts";
import { isOnCluster } from "../support/postgres-databases.ts";
import { everyNode, executedPlans, rowsRead, taskCount } from "../support/postgres-plans.ts";
import { utcDays } from "../support/seed-rows.ts";

const devices = 1_000;
const rowsPerDevice = 8;
/** Each fiftieth device is the sub-account's. */
const assigned = devices / 50;
const count = 11;
const hourMs = 3_600_000;
/** The middle of what was stored. */
const at = 1_760_000_000_000;
const owner = "00000000-0000-4000-8000-000000000001";
const sub = "00000000-0000-4000-8000-000000000002";
const other = "00000000-0000-4000-8000-000000000003";
const unknownId = "80000000-0000-4000-8000-000000000000";

const fleet = [
  `insert into accounts (account_id, id, name, status, limit_per_second, limit_per_day, created_at, updated_at)
   values (1, '${unknownId}', 'Acme', 'active', 1000, 1000000, 1, 1)`,
  "insert into fleet_revisions (account_id, revision) values (1, 0)",
  `insert into users (id, account_id, role, name, email, email_key, status, created_at, updated_at) values
   ('${owner}', 1, 'owner', 'O', 'o', 'o', 'active', 1, 1), ('${sub}', 1, 'sub_account', 'S', 's', 's', 'active', 1, 1),
   ('${other}', 1, 'sub_account', 'T', 't', 't', 'active', 1, 1)`,
  `insert into device_directory (device, account_id, imei, id)
   select n, 1, lpad((n * 10)::text, 15, '0'), md5(n::text)::uuid from generate_series(1, ${devices}) n`,
  `insert into devices (account_id, device, id, imei, name, status, tags_json, external_ids_json, search_text, created_at, updated_at)
   select account_id, device, id, imei, 'Van', 'active', '[]', '{}', 'van', 1, 1 from device_directory`,
  `insert into assignments (account_id, user_id, id, imei, device, created_at)
   select account_id, '${sub}', id, imei, device, 1 from devices where device % 50 = 0`,
  `insert into latest_positions (account_id, device, revision, last_seen_at, recorded_at, received_at, fields_json, discontinuity)
   select account_id, device, 1, ${at}, ${at}, ${at}, '[]', false from devices`,
  `insert into geofences (account_id, id, name, created_at, updated_at)
   select 1, md5('fence ' || n)::uuid, 'F', 1, 1 from generate_series(1, ${devices}) n`,
  `insert into geofence_versions (account_id, geofence_id, valid_from, shape, geometry_json, bbox_json, created_at)
   select account_id, id, 1, 'circle', '{}', '[]', 1 from geofences`,
  `insert into geofence_assignments (account_id, geofence_id, valid_from, device, assigned_at)
   select 1, md5('fence ' || n)::uuid, 1, n, 1 from generate_series(1, ${devices}) n`,
];
const times = `from devices, (select n, ${at} + (n - ${rowsPerDevice / 2}) * ${hourMs}::bigint as t from generate_series(1, ${rowsPerDevice}) n) m`;
/** They are not looked at: each block and each row may have the same. */
const stored = { frame: { ...exampleFrame, recordedAt: at }, verdict: accepted };
const body = `\\x${Buffer.from(encodeFrames([stored])).toString("hex")}`;
const line = lineContent(stored);
const rows = [
  `insert into mileage_days (account_id, device, day, distance_mm, distance_source, trip_count, driving_ms, idle_ms, gap_distance_mm, updated_at)
   select account_id, device, n, 1, 'gps', 1, 1, 1, 1, 1 ${times}`,
  `insert into alerts (account_id, device, occurred_at, id, alert_type, severity, message, received_at, withdrawn)
   select account_id, device, t + device, gen_random_uuid(), 'sos', 'info', 'm', t, false ${times}`,
  `insert into trips (account_id, device, started_at, id, ended_at, start_latitude_e7, start_longitude_e7, distance_mm,
     duration_ms, idle_ms, position_count, has_gap, updated_at)
   select account_id, device, t + device, gen_random_uuid(), t + device + 60000, 1, 1, 1, 1, 1, 1, false, 1 ${times}`,
  `insert into stops (account_id, device, started_at, id, ended_at, latitude_e7, longitude_e7, duration_ms, geofence_ids,
     trip_before_id, updated_at)
   select account_id, device, t + device, gen_random_uuid(), t + device + 60000, 1, 1, 60000, '', gen_random_uuid(), 1 ${times}`,
  `insert into geofence_events (account_id, device, occurred_at, id, geofence_id, event_type, latitude_e7, longitude_e7,
     interpolated, time_uncertainty_ms)
   select account_id, device, t + device, gen_random_uuid(), md5('fence ' || device)::uuid, 'enter', 1, 1, false, 1 ${times}`,
  `insert into readings (account_id, device, kind, recorded_at)
   select account_id, device, 1, t ${times}`,
  ...["frame_blocks", "reading_blocks"].map(
    (table) => `insert into ${table} (account_id, device, from_at, until_at, count, received_until, kinds, body)
   select account_id, device, t, t + ${hourMs / 2}, 1, t, 1, '${body}'::bytea ${times}`,
  ),
  `insert into recent_frames (account_id, device, recorded_at, digest, received_at, content)
   select account_id, device, t + ${20 * hourMs}, n, t, '${line}' ${times}`,
  `insert into untimely_frames (account_id, device, recorded_at, digest, received_at, content)
   select account_id, device, t + 1, n, t, '${line}' ${times} where device % 10 = 0`,
];

const ownTables = "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace";

type Query = (reader: Reader, visibility: Visibility, device: number | null) => unknown;

const window = { fromMs: at - 100 * hourMs, toMs: at + 100 * hourMs, count, after: null };
const later = { ...window, after: { at, id: unknownId } };
const unfiltered = { acknowledged: null, severity: null, alertType: null };
const anyStop = { geofenceId: null, minDurationMs: null };
const ofTime: readonly (readonly [name: string, query: Query])[] = [
  ["alerts", (r, v, device) => alerts(r, v, { ...window, ...unfiltered, device })],
  ["alerts on a later page", (r, v, device) => alerts(r, v, { ...later, ...unfiltered, device })],
  ["alerts of a severity", (r, v, device) => alerts(r, v, { ...later, ...unfiltered, severity: "info", device })],
  ["alerts of a type", (r, v, device) => alerts(r, v, { ...window, ...unfiltered, alertType: "sos", device })],
  ["open alerts", (r, v, device) => alerts(r, v, { ...later, ...unfiltered, acknowledged: false, device })],
  ["trips", (r, v, device) => trips(r, v, { ...window, device })],
  ["trips on a later page", (r, v, device) => trips(r, v, { ...later, device })],
  ["stops", (r, v, device) => stops(r, v, { ...window, ...anyStop, device })],
  ["stops on a later page", (r, v, device) => stops(r, v, { ...later, ...anyStop, device })],
  ["geofence events", (r, v, device) => geofenceEvents(r, v, { ...window, device })],
  ["geofence events on a later page", (r, v, device) => geofenceEvents(r, v, { ...later, device })],
];

const readings: readonly (readonly [name: string, query: Query])[] = [
  ["readings", (r, v, device) => sensorReadings(r, v, { ...window, kind: "fuel", device })],
  [
    "readings on a later page",
    (r, v, device) =>
      sensorReadings(r, v, { ...window, kind: "fuel", device, after: { at, device: 100, digest: 1, sensor: "" } }),
  ],
  ["readings of which there are none", (r, v, device) => sensorReadings(r, v, { ...window, kind: "tyre", device })],
];

const moment = { atMs: at + hourMs, earliestMs: at - 100 * hourMs, count };
const mileagePage = { after: null, count };
const berlinDays = { timeZone: "Europe/Berlin", fromDay: 4, untilDay: 6 };
const ofDevices: readonly (readonly [name: string, query: Query])[] = [
  ["mileage of a day", (r, v, device) => mileageDays(r, v, { device, days: utcDays(5, 6) }, mileagePage)],
  ["mileage of many days", (r, v, device) => mileageDays(r, v, { device, days: utcDays(1, 99) }, mileagePage)],
  [
    "mileage of an account that had another zone before",
    (r, v, device) => mileageDays(r, v, { device, days: [...utcDays(5, 6), berlinDays] }, mileagePage),
  ],
  [
    "mileage on a later page",
    (r, v, device) =>
      mileageDays(r, v, { device, days: utcDays(1, 99) }, { count, after: { device_id: unknownId, day: 3 } }),
  ],
  ["latest positions", (r, v, device) => latestPositions(r, v, { device, after: null, count })],
  ["positions at a time", (r, v, device) => devicesAt(r, v, { ...moment, device, after: null })],
  ["positions at a time on a later page", (r, v, device) => devicesAt(r, v, { ...moment, device, after: unknownId })],
  ["latest positions on a later page", (r, v, device) => latestPositions(r, v, { device, after: unknownId, count })],
];

const ofAccount: readonly (readonly [name: string, query: Query])[] = [
  ["devices", (r, v) => visibleDevices(r, v, { after: null, count, status: null, search: null })],
  [
    "devices on a later page",
    (r, v) => visibleDevices(r, v, { after: unknownId, count, status: "active", search: null }),
  ],
  ["states of devices", (r, v) => visibleDeviceStates(r, v, { after: unknownId, count, status: null })],
  ["geofences", (r, v) => geofences(r, v, { after: null, count })],
  ["geofences on a later page", (r, v) => geofences(r, v, { after: unknownId, count })],
  ["sub-accounts", (r, v) => subAccounts(r, v, { after: null, count })],
];

const ofOneDevice: readonly (readonly [name: string, query: Query])[] = [
  [
    "history",
    (r, v, device) => history(r, v, { ...window, device: { device: device ?? 0, id: "", imei: "" }, validOnly: true }),
  ],
  [
    "history with rejected frames on a later page",
    (r, v, device) =>
      history(r, v, {
        ...window,
        after: { at, digest: 1 },
        device: { device: device ?? 0, id: "", imei: "" },
        validOnly: false,
      }),
  ],
  [
    "frames of some moments",
    (r, v, device) =>
      framesAtMoments(
        r,
        v,
        [at, at + hourMs, at + 20 * hourMs].map((moment) => ({ device: device ?? 0, at: moment })),
      ),
  ],
  ["geofences of a device", (r, v, device) => deviceGeofences(r, v, device ?? 0)],
  ["sums of days", (r, v, device) => driveSums(r, v, [device ?? 0], utcDays(1, 99))],
  [
    "the frame before some blocks",
    (r, v, device) => frameBefore(r, v, { device: device ?? 0, before: at + hourMs }, moment, 2),
  ],
  ...mileageGroups.map((group): readonly [string, Query] => [
    `mileage by month and ${group}`,
    (r, v, device) => mileageSums(r, v, [device ?? 0], { days: utcDays(1, 99), period: "month", group }),
  ]),
  ["sums of alerts", (r, v, device) => alertSums(r, v, [device ?? 0], window)],
  ["the worst alerts", (r, v, device) => worstAlerts(r, v, [device ?? 0], window)],
  ["moments of trips", (r, v, device) => tripMoments(r, v, [device ?? 0], window)],
  ["whether there are frames", (r, v, device) => devicesWithFrames(r, v, [device ?? 0], window)],
];

/** What reads more than it is asked for: whole tables, or one of them for each row of another. */
const wholesale = /^(?:Seq Scan|Bitmap|Hash Join|Merge Join|Materialize)/;

onEachEngine("PostgreSQL plans", (engine) => {
  if (engine.name !== "postgres") return;

  const viewers = [
    visibilityOf({ accountId: 1, id: owner, role: "owner" }),
    visibilityOf({ accountId: 1, id: sub, role: "sub_account" }),
  ];

  const prepared = engine.shared(async ({ database, open }) => {
    await database.transaction(async (tx) => {
      const tables = await tx.all<{ name: string }>(plainSql(ownTables));
      // As on a server where nobody else does it.
      for (const { name } of tables) await tx.run(plainSql(`alter table ${name} set (autovacuum_enabled = off)`));
      for (const text of [...fleet, ...rows]) await tx.run(plainSql(text));
    });
    // Opening the store makes PostgreSQL analyse its tables.
    return open();
  });

  const holds = async (query: Query, device: number | null, limit: (visibility: Visibility) => number) => {
    for (const visibility of viewers) {
      const plans = await executedPlans(prepared(), "force_generic_plan", (r) => query(r, visibility, device));
      for (const plan of plans) {
        if (isOnCluster) {
          expect(taskCount(plan)).toBe(1);
          continue;
        }
        expect(everyNode(plan).filter((node) => wholesale.test(node["Node Type"]))).toEqual([]);
        expect(rowsRead(plan)).toBeLessThanOrEqual(limit(visibility));
      }
    }
  };

  // A row of the page is read with its device and what else belongs to it; a sub-account's are merged, a page of each.
  test.each(ofTime)("%s, whatever the values, without reading what is not shown", async (_, query) => {
    await holds(query, null, ({ sees }) => (sees === "account" ? 10 * count : 5 * count * assigned));
    await holds(query, 100, () => 10 * count);
  });

  // In the time in which a block of each device is opened, 100 rows of others are skipped for each.
  test.each(readings)("%s, whatever the values, with few rows of others", async (_, query) => {
    await holds(query, null, ({ sees }) => (sees === "account" ? 20 * count : 2 * 100 * assigned));
    await holds(query, 100, () => 10 * count);
  });

  test.each([...ofDevices, ...ofAccount])("%s, whatever the values, device by device", async (_, query) => {
    await holds(query, null, ({ sees }) => (sees === "account" ? 10 * count : 10 * count + 4 * assigned));
  });

  test.each([...ofDevices, ...ofOneDevice])(
    "%s of one device, whatever the values, by its own rows",
    async (_, query) => {
      await holds(query, 100, () => 5 * count);
    },
  );
});
