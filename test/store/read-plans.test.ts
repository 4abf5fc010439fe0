import { expect, test } from "bun:test";
import { sensorReadings } from "../../src/api/lists/sensor-readings.ts";
import { type Visibility, withTag } from "../../src/domain/visibility.ts";
import type { Database, Reader } from "../../src/store/database.ts";
import { alerts } from "../../src/store/facts/alerts.ts";
import { geofenceEvents } from "../../src/store/facts/geofence-events.ts";
import { mileageDays } from "../../src/store/facts/mileage.ts";
import { stops } from "../../src/store/facts/stops.ts";
import { trips } from "../../src/store/facts/trips.ts";
import { visibleDevices } from "../../src/store/fleet/devices.ts";
import { deviceGeofences, geofences } from "../../src/store/fleet/geofences.ts";
import { subAccounts } from "../../src/store/fleet/users.ts";
import { framesAfter, framesAhead, framesAt } from "../../src/store/frames/frames.ts";
import { framesAtMoments } from "../../src/store/frames/frames-at.ts";
import { history, latestPositions } from "../../src/store/frames/positions.ts";
import { devicesAt } from "../../src/store/frames/positions-at.ts";
import { type Sql, sql } from "../../src/store/sql.ts";
import type { DeviceMoment } from "../../src/store/timed-rows.ts";
import { noting } from "../support/altered.ts";
import { onEachEngine } from "../support/engines.ts";
import { newFleet } from "../support/seed-fleet.ts";
import { noon, utcDays } from "../support/seed-rows.ts";

const id = "80000000-0000-4000-8000-000000000000";
const after = { at: noon, id };
const window = { fromMs: noon, toMs: noon + 1_000_000, count: 101, device: null, after: null };
const unfiltered = { acknowledged: null, severity: null, alertType: null };
const berlinDays = { timeZone: "Europe/Berlin", fromDay: 2, untilDay: 9 };
const ids = { after: id, count: 101 };
const fuelKey = { at: noon, device: 1, digest: 1, sensor: "" };

type Query = (reader: Reader, visibility: Visibility) => unknown;

/** By what the first table of the plan is reached. */
const ofOwner: readonly (readonly [name: string, first: string, query: Query])[] = [
  [
    "devices",
    "d USING INDEX devices_by_id (account_id=? AND id>?)",
    (r, v) => visibleDevices(r, v, { ...ids, status: null, search: null }),
  ],
  [
    "devices of a status",
    "d USING INDEX devices_by_status (account_id=? AND status=? AND id>?)",
    (r, v) => visibleDevices(r, v, { ...ids, status: "blocked", search: null }),
  ],
  [
    "latest positions",
    "d USING INDEX devices_by_id (account_id=? AND id>?)",
    (r, v) => latestPositions(r, v, { ...ids, device: null }),
  ],
  [
    "latest positions of a tag",
    "d USING INDEX devices_by_id (account_id=? AND id>?)",
    (r, v) => latestPositions(r, withTag(v, "cold"), { ...ids, device: null }),
  ],
  ["geofences", "g USING PRIMARY KEY (account_id=? AND id>?)", (r, v) => geofences(r, v, ids)],
  ["sub-accounts", "u USING INDEX users_by_account (account_id=? AND id>?)", (r, v) => subAccounts(r, v, ids)],
  [
    "alerts",
    "r USING INDEX alerts_by_time (account_id=? AND occurred_at>? AND occurred_at<?)",
    (r, v) => alerts(r, v, { ...window, ...unfiltered, after }),
  ],
  [
    "alerts of a type",
    "r USING INDEX alerts_by_type (account_id=? AND alert_type=? AND occurred_at>? AND occurred_at<?)",
    (r, v) => alerts(r, v, { ...window, ...unfiltered, alertType: "sos" }),
  ],
  [
    "alerts of a severity",
    "r USING INDEX alerts_by_severity (account_id=? AND severity=? AND occurred_at>? AND occurred_at<?)",
    (r, v) => alerts(r, v, { ...window, ...unfiltered, severity: "info" }),
  ],
  [
    "geofence events",
    "r USING INDEX geofence_events_by_time (account_id=? AND occurred_at>? AND occurred_at<?)",
    (r, v) => geofenceEvents(r, v, { ...window, after }),
  ],
  [
    "readings",
    "r USING PRIMARY KEY (account_id=? AND kind=? AND recorded_at>? AND recorded_at<?)",
    (r, v) => sensorReadings(r, v, { ...window, kind: "fuel", after: fuelKey }),
  ],
  [
    "trips",
    "r USING INDEX trips_by_start (account_id=? AND started_at>? AND started_at<?)",
    (r, v) => trips(r, v, { ...window, after }),
  ],
  [
    "stops",
    "r USING INDEX stops_by_start (account_id=? AND started_at>? AND started_at<?)",
    (r, v) => stops(r, v, { ...window, ...anyStop, after }),
  ],
  [
    "mileage",
    "d USING INDEX devices_by_id (account_id=?)",
    (r, v) => mileageDays(r, v, { device: null, days: utcDays(1, 9) }, { after: null, count: 100 }),
  ],
  [
    "mileage of an account that had another zone before",
    "d USING INDEX devices_by_id (account_id=?)",
    (r, v) => mileageDays(r, v, { device: null, days: [...utcDays(1, 9), berlinDays] }, { after: null, count: 100 }),
  ],
];

const anyStop = { geofenceId: null, minDurationMs: null };

const blockRange =
  "frame_blocks USING INDEX sqlite_autoindex_frame_blocks_1 (account_id=? AND device=? AND from_at>? AND from_at<?)";
const rowRange = (name: string) =>
  `${name} USING PRIMARY KEY (account_id=? AND device=? AND recorded_at>? AND recorded_at<?)`;
const historyPage = (device: number) => {
  const identity = { device, id: "", imei: "" };
  return { ...window, device: identity, after: { at: noon, digest: 1 }, validOnly: false };
};

/** Lists of one device, and the index range of it that each reads. */
const ofDevice: readonly (readonly [name: string, range: string, query: (device: number) => Query])[] = [
  ["history", blockRange, (device) => (r, v) => history(r, v, { ...historyPage(device), validOnly: true })],
  ["history in rows", rowRange("r"), (device) => (r, v) => history(r, v, { ...historyPage(device), validOnly: true })],
  ["history with rejected frames", blockRange, (device) => (r, v) => history(r, v, historyPage(device))],
  ["untimely history", rowRange("untimely_frames"), (device) => (r, v) => history(r, v, historyPage(device))],
  [
    "frames from the future",
    rowRange("untimely_frames"),
    (device) =>
      (r, { accountId }) =>
        framesAhead(r, { accountId, device }, { from: noon, until: noon + 1 }, 100),
  ],
  [
    "frames after a place",
    blockRange,
    (device) =>
      (r, { accountId }) =>
        framesAfter(r, { accountId, device }, { recordedAt: noon, digest: 1 }, 100),
  ],
  [
    "alerts",
    "r USING PRIMARY KEY (account_id=? AND device=? AND occurred_at>? AND occurred_at<?)",
    (device) => (r, v) => alerts(r, v, { ...window, ...unfiltered, device, alertType: "sos" }),
  ],
  [
    "readings",
    "frame_blocks USING COVERING INDEX frame_blocks_by_kinds (account_id=? AND device=? AND from_at>? AND from_at<?)",
    (device) => (r, v) => sensorReadings(r, v, { ...window, device, kind: "fuel", after: fuelKey }),
  ],
  [
    "geofence events",
    "r USING PRIMARY KEY (account_id=? AND device=? AND occurred_at>? AND occurred_at<?)",
    (device) => (r, v) => geofenceEvents(r, v, { ...window, device }),
  ],
  [
    "trips",
    "r USING PRIMARY KEY (account_id=? AND device=? AND started_at>? AND started_at<?)",
    (device) => (r, v) => trips(r, v, { ...window, device, after }),
  ],
  [
    "stops",
    "r USING PRIMARY KEY (account_id=? AND device=? AND started_at>? AND started_at<?)",
    (device) => (r, v) => stops(r, v, { ...window, ...anyStop, device, after }),
  ],
  [
    "geofences",
    "m USING INDEX geofence_assignments_by_device (account_id=? AND device=?)",
    (device) => (r, v) => deviceGeofences(r, v, device),
  ],
];

async function planOf(database: Database, visibility: Visibility, query: Query): Promise<string[]> {
  const asked: Sql[] = [];
  await query(
    noting(database, (statement) => asked.push(statement)),
    visibility,
  );
  const steps = await Promise.all(
    asked.map((statement) => database.all<{ detail: string }>(sql`explain query plan ${statement}`)),
  );
  return steps.flat().map(({ detail }) => detail);
}

/** Steps that go through a whole table or index, or through all rows of an account. */
function wholesale(plan: readonly string[]): string[] {
  const materialised = /^SCAN (?:part|share|reach|heads|sight|d|s|CONSTANT ROW|\(subquery-\d+\))$/;
  const isSmall = (step: string) => {
    const name = step.slice("SCAN ".length);
    return materialised.test(step) || plan.includes(`CO-ROUTINE ${name}`) || plan.includes(`MATERIALIZE ${name}`);
  };
  return plan.filter((step) => (step.startsWith("SCAN") && !isSmall(step)) || /\(account_id=\?\)/.test(step));
}

onEachEngine("a page's plan", (engine) => {
  // PostgreSQL decides by what the tables hold, which a test's few rows are no measure for.
  if (engine.name !== "sqlite") return;

  const fleet = newFleet();
  const shared = engine.shared(async ({ database }) => {
    await fleet.seed.save(database);
    return database;
  });

  test.each(ofOwner)("for the owner's %s walks an index in the order of the page", async (_, first, query) => {
    const plan = await planOf(shared(), fleet.owner.visibility, query);
    expect(plan[0]).toBe(`SEARCH ${first}`);
    expect(plan.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
  });

  test.each(ofDevice)("for one device's %s reads its own range, in order", async (_, range, query) => {
    for (const { visibility } of [fleet.owner, fleet.anna]) {
      const plan = await planOf(shared(), visibility, query(fleet.van.device));
      expect(plan).toContain(`SEARCH ${range}`);
      // The rows of a device are few, and joined in their order.
      const sorts = plan.filter((step) => step.includes("TEMP B-TREE") && !step.endsWith("string_agg(ORDER BY)"));
      expect(sorts).toEqual([]);
      expect(wholesale(plan)).toEqual([]);
    }
  });

  test.each(ofOwner)("for a sub-account's %s begins at its own assignments", async (name, _, query) => {
    const plan = await planOf(shared(), fleet.anna.visibility, query);
    // How many devices there are is counted once a minute. Readings of others are skipped, but not many.
    const counted = "SEARCH devices USING COVERING INDEX devices_in_sight (account_id=?)";
    const ownDevices = "SCAN json_each VIRTUAL TABLE INDEX 1:";
    expect(wholesale(plan)).toEqual(name === "readings" ? [counted, ownDevices] : []);
    if (name === "sub-accounts" || name === "readings") return;
    const first = plan.find((step) => step.startsWith("SEARCH"));
    expect(first).toMatch(/^SEARCH a USING PRIMARY KEY \(account_id=\? AND user_id=\?/);
    expect(plan.filter((step) => /_by_(?:time|type|severity|start|length)\b/.test(step))).toEqual([]);
  });

  test.each([
    ["of some moments", (r: Reader, v: Visibility, moments: DeviceMoment[]) => framesAtMoments(r, v, moments)],
    [
      "of some times of a device",
      (r: Reader, { accountId }: Visibility, moments: DeviceMoment[]) =>
        framesAt(
          r,
          { accountId, device: moments[0]?.device ?? 0 },
          moments.map(({ at }) => at),
        ),
    ],
  ])("for the frames %s looks each of them up", async (_, read) => {
    const moments = [1, 2, 3].map((step) => ({ device: fleet.van.device, at: noon + step }));
    for (const { visibility } of [fleet.owner, fleet.anna]) {
      const plan = await planOf(shared(), visibility, (r, v) => read(r, v, moments));
      const searches = plan.filter((step) => /^SEARCH (?:r|b|l) /.test(step));
      expect(searches.length).toBeGreaterThanOrEqual(3);
      const isLookup = /^SEARCH . USING .*\(account_id=\? AND device=\? AND (?:recorded_at=\?|from_at[=<]\?)\)$/;
      expect(searches.filter((step) => !isLookup.test(step))).toEqual([]);
      const given = /^SCAN (?:w|h|v|(?:\d+ )?CONSTANT ROWS?|\d+-ROW VALUES CLAUSE)$/;
      expect(plan.filter((step) => step.startsWith("SCAN") && !given.test(step))).toEqual([]);
    }
  });

  test("for the positions at a time looks each device's last row and block up", async () => {
    for (const { visibility } of [fleet.owner, fleet.anna]) {
      const page = { ...ids, device: null, atMs: noon, earliestMs: noon - 1000 };
      const plan = await planOf(shared(), visibility, (r, v) => devicesAt(r, v, page));
      const searches = plan.filter((step) => /^SEARCH (?:r|b) /.test(step));
      const own = "account_id=? AND device=? AND";
      expect(searches).toEqual([
        `SEARCH r USING PRIMARY KEY (${own} recorded_at>? AND recorded_at<?)`,
        `SEARCH r USING PRIMARY KEY (${own} recorded_at>?)`,
        `SEARCH b USING INDEX sqlite_autoindex_frame_blocks_1 (${own} from_at<?)`,
      ]);
      expect(wholesale(plan)).toEqual([]);
    }
  });

  test("for the first page of trips looks back only as far as each length needs", async () => {
    const plan = await planOf(shared(), fleet.owner.visibility, (r, v) => trips(r, v, window));
    const searches = plan.filter((step) => step.startsWith("SEARCH r"));
    const byLength =
      "SEARCH r USING COVERING INDEX trips_by_length (account_id=? AND <expr>=? AND started_at>? AND started_at<?)";
    const ofKey = "SEARCH r USING PRIMARY KEY (account_id=? AND device=? AND started_at=?)";
    const byStart = "SEARCH r USING INDEX trips_by_start (account_id=? AND started_at>? AND started_at<?)";
    expect(searches).toEqual([...Array.from({ length: 7 }, () => byLength), ofKey, byStart]);
    expect(wholesale(plan)).toEqual([]);
  });

  test("for the first page of stops looks back only as far as each length needs, and then ahead", async () => {
    const query: Query = (r, v) => stops(r, v, { ...window, ...anyStop });
    const plan = await planOf(shared(), fleet.owner.visibility, query);
    const searches = plan.filter((step) => step.startsWith("SEARCH r"));
    const byLength =
      "SEARCH r USING COVERING INDEX stops_by_length (account_id=? AND <expr>=? AND started_at>? AND started_at<?)";
    const ofKey = "SEARCH r USING PRIMARY KEY (account_id=? AND device=? AND started_at=?)";
    const byStart = "SEARCH r USING INDEX stops_by_start (account_id=? AND started_at>? AND started_at<?)";
    expect(searches).toEqual([...Array.from({ length: 13 }, () => byLength), ofKey, byStart]);
    expect(wholesale(plan)).toEqual([]);
  });

  const searched = { ...window, walksAccount: true };
  const inWindow = (time: string) => `${time}>? AND ${time}<?`;
  test.each<readonly [name: string, first: string, query: Query]>([
    [
      "acknowledged alerts",
      `alerts_by_acknowledged (account_id=? AND acknowledged=? AND ${inWindow("occurred_at")})`,
      (r, v) => alerts(r, v, { ...searched, ...unfiltered, acknowledged: true }),
    ],
    [
      "open alerts of a type and a severity",
      `alerts_by_type (account_id=? AND alert_type=? AND ${inWindow("occurred_at")})`,
      (r, v) => alerts(r, v, { ...searched, acknowledged: false, alertType: "sos", severity: "info" }),
    ],
  ])("for %s among all of the account walks an index in the order of the page", async (_, first, query) => {
    for (const { visibility } of [fleet.owner, fleet.anna]) {
      const plan = await planOf(shared(), visibility, query);
      // A sub-account's alerts are found among the others in the index.
      expect(plan[0]?.replace(/^SEARCH (?:r USING|i USING COVERING) INDEX /, "")).toBe(first);
      expect(plan.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
      expect(wholesale(plan)).toEqual([]);
    }
  });

  test("for stops in a fence passes over those in others in an index", async () => {
    const query: Query = (r, v) => stops(r, v, { ...searched, geofenceId: id, minDurationMs: 5 });
    for (const { visibility } of [fleet.owner, fleet.anna]) {
      const plan = await planOf(shared(), visibility, query);
      const searches = plan.filter((step) => step.startsWith("SEARCH r")).map((step) => step.split(" ").slice(3, 6));
      const byLength = ["COVERING", "INDEX", "stops_in_fences_by_length"];
      const byStart = ["COVERING", "INDEX", "stops_in_fences"];
      const ofKey = ["PRIMARY", "KEY", "(account_id=?"];
      expect(searches).toEqual([...Array.from({ length: 13 }, () => byLength), ofKey, byStart, ofKey]);
      expect(wholesale(plan)).toEqual([]);
    }
  });

  test("for long stops searches only the classes in which there are such", async () => {
    const hourMs = 3_600_000;
    const later = { ...searched, isLaterPart: true, geofenceId: null };
    const classes = async (minDurationMs: number) => {
      const plan = await planOf(shared(), fleet.anna.visibility, (r, v) => stops(r, v, { ...later, minDurationMs }));
      return plan.filter((step) => step.startsWith("SEARCH r")).map((step) => /stops_by_\w+|KEY/.exec(step)?.[0]);
    };
    expect(await classes(hourMs - 1)).toEqual(["stops_by_start", "KEY"]);
    // Of thirteen: those shorter than an hour, and then those shorter than two, are left out.
    const ofClasses = (length: number) => [...Array.from({ length }, () => "stops_by_length"), "KEY"];
    expect(await classes(hourMs)).toEqual(ofClasses(12));
    expect(await classes(2 * hourMs)).toEqual(ofClasses(11));
  });
});
