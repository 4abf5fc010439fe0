import { createKey } from "../../src/access/keys.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import type { Database, Transaction } from "../../src/store/database.ts";
import { userTable } from "../../src/store/fleet/users.ts";
import { type Sql, sql } from "../../src/store/sql.ts";
import { lastFrameAt, seedBenchFleet } from "./fleet.ts";
import { type RunStatement, withoutIndexes } from "./without-indexes.ts";

const accountId = 1;
const dayMs = 86_400_000;
const spanMs = 30 * dayMs;
export const factSpan = { fromMs: lastFrameAt - spanMs, spanMs };

export interface FactKeys {
  readonly owner: string;
  /** Of a sub-account that sees half of the devices. */
  readonly half: string;
  /** Of one that sees a hundred. */
  readonly few: string;
  /** Fences: one in which vehicles stop, one in which none does. */
  readonly fence: string;
  readonly emptyFence: string;
}

const subAccounts = { half: "00000000-0000-4000-8000-0000000000aa", few: "00000000-0000-4000-8000-0000000000bb" };
const fences = { fence: "00000000-0000-4000-8000-00000000ffff", emptyFence: "00000000-0000-4000-8000-00000000eeee" };

/** An account with as many rows in each list of what happened, spread evenly over its devices and over 30 days. */
export async function seedFacts(database: Database, run: RunStatement, devices: number, rows: number): Promise<void> {
  await seedBenchFleet(database, devices, 0);
  await database.transaction(async (tx) => {
    await tx.run(
      sql`update devices set tags_json = '["north","rare"]' where account_id = ${accountId} and device % 1000 = 0`,
    );
    await tx.run(sql`update devices set tags_json = '["north"]' where account_id = ${accountId} and device % 10 = 1`);
    await tx.run(sql`update devices set tags_json = '[]' where account_id = ${accountId} and device % 10 > 1`);
    for (const id of Object.values(fences)) {
      await tx.run(sql`insert into geofences (account_id, id, name, created_at, updated_at)
        values (${accountId}, ${id}, 'Yard', 1, 1)`);
      await tx.run(sql`insert into geofence_versions
        (account_id, geofence_id, valid_from, shape, geometry_json, radius_m, bbox_json, created_at)
        values (${accountId}, ${id}, 0, 'circle', '{"type":"Point","coordinates":[13,52]}', 100, '[13,52,13,52]', 1)`);
      await tx.run(sql`insert into geofence_assignments (account_id, geofence_id, valid_from, device, assigned_at)
        select account_id, ${id}, 0, device, 1 from devices where account_id = ${accountId}`);
    }
    const users = Object.entries(subAccounts).map(([name, id]) => ({
      ...{
        id,
        account_id: accountId,
        role: "sub_account",
        name,
        email: `${name}@bench.test`,
        email_key: `${name}@bench.test`,
      },
      ...{ password_managed_by: "file", status: "active", created_at: 1, updated_at: 1 },
    }));
    await tx.insertMany(userTable, users);
    await assign(tx, subAccounts.half, sql`device % 2 = 0`);
    await assign(tx, subAccounts.few, sql`device % ${Math.floor(devices / 100)} = 0`);
  });
  await withoutIndexes(database, run, factTables, async () => {
    const devicesAtOnce = Math.max(1, Math.floor((rowsPerStatement * devices) / rows));
    for (let first = 1; first <= devices; first += devicesAtOnce) {
      const last = Math.min(devices, first + devicesAtOnce - 1);
      for (const statement of factStatements(database.engine, devices, rows, [first, last])) {
        await run(statement);
      }
    }
  });
}

/** Of an account that was made by `seedFacts`. */
export async function factKeys(database: Database): Promise<FactKeys> {
  const keyOf = async (viewer: string) => {
    const request = { email: `${viewer}@bench.test`, name: "bench", scopes: allScopes };
    return (await createKey(database, { ...request, perSecond: null, perDay: null, expiresAt: null }, 1)).secret;
  };
  return { owner: await keyOf("owner"), half: await keyOf("half"), few: await keyOf("few"), ...fences };
}

async function assign(tx: Transaction, userId: string, which: Sql): Promise<void> {
  await tx.run(sql`insert into assignments (account_id, user_id, device, id, imei, created_at)
    select account_id, ${userId}, device, id, imei, 1 from devices where account_id = ${accountId} and ${which}`);
}

/** Some seconds each. */
const rowsPerStatement = 50_000;
const factTables = ["trips", "stops", "alerts", "alert_acknowledgements", "geofence_events"];

/**
 * The rows of some devices, in the order of their tables: made inside the database, a million of each take a minute. What differs
 * between rows goes by `i / 7`: which device it is goes by `i`, and each viewer sees some of every sort.
 */
function factStatements(
  engine: Database["engine"],
  devices: number,
  rows: number,
  [first, last]: readonly [number, number],
): string[] {
  const stepMs = Math.floor(spanMs / rows);
  const uuid = (text: string) => (engine === "postgres" ? `cast(${text} as uuid)` : text);
  const id = (kind: number) =>
    uuid(
      `cast(10000000 + (i * 7919) % 89999999 as text) || '-000${kind}-4000-8000-' || cast(100000000000 + i as text)`,
    );
  const no = engine === "postgres" ? "false" : "0";
  const at = `${factSpan.fromMs} + i * ${stepMs}`;
  const lengthMs = "600000 + (i * 104729) % 12000000";
  const cycleMs = devices * stepMs;
  // Device 1 + (i * 7919) % devices: rows that follow each other are of devices far apart.
  const all = `with recursive
    own (device) as (select cast(${first} as bigint) union all select device + 1 from own where device < ${last}),
    cycles (cycle) as (select 0 union all select cycle + 1 from cycles where cycle < ${Math.ceil(rows / devices) - 1}),
    numbers (device, i) as (
      select device, cycle * ${devices} + ((device - 1) * ${inverse(7919, devices)}) % ${devices} from own cross join cycles)`;
  const into = (table: string, columns: Record<string, string>) =>
    `insert into ${table} (account_id, device, ${Object.keys(columns).join(", ")})
      ${all} select ${accountId}, device, ${Object.values(columns).join(", ")} from numbers where i < ${rows}`;
  const place = { latitude_e7: "525200000", longitude_e7: "134000000" };
  const known = { received_at: at, updated_at: at };
  return [
    into("trips", {
      ...{
        id: id(1),
        started_at: at,
        ended_at: `${at} + ${lengthMs}`,
        end_reason: "'ignition_off'",
        start_latitude_e7: "525200000",
      },
      ...{
        start_longitude_e7: "134000000",
        end_latitude_e7: "525200000",
        end_longitude_e7: "134000000",
        distance_mm: "12345678",
      },
      ...{
        duration_ms: lengthMs,
        idle_ms: "60000",
        max_speed_m_per_h: "88000",
        position_count: "100",
        has_gap: no,
        ...known,
      },
    }),
    into("stops", {
      ...{
        id: id(2),
        started_at: `${at} + ${lengthMs}`,
        ended_at: `${at} + ${cycleMs}`,
        ...place,
        updated_at: at,
      },
      ...{
        duration_ms: `${cycleMs} - (${lengthMs})`,
        trip_before_id: id(1),
        trip_after_id: id(1),
        ignition_on_ms: "1000",
      },
      geofence_ids: `case when (i / 7) % 10 = 0 then '${fences.fence}' else '' end`,
    }),
    into("alerts", {
      ...{
        id: id(3),
        occurred_at: at,
        ended_at: `${at} + 60000`,
        ...place,
        ...known,
        withdrawn: no,
        acknowledged: `(i / 7) % 100 = 0`,
      },
      alert_type:
        "case (i / 7) % 4 when 0 then 'speeding' when 1 then 'harsh_braking' when 2 then 'idling' else 'low_battery' end",
      severity: "case (i / 7) % 4 when 0 then 'warning' when 1 then 'warning' else 'info' end",
      ...{
        message: "'Speeding: 104 km/h'",
        speed_m_per_h: "104000",
        value: "(i / 7) % 1000",
        threshold: "100",
        unit: "'km/h'",
      },
    }),
    `insert into alert_acknowledgements (account_id, alert_id, acknowledged_at, acknowledged_by)
      ${all} select ${accountId}, ${id(3)}, ${at} + 1000, ${uuid(`'${subAccounts.half}'`)} from numbers
      where i < ${rows} and (i / 7) % 100 = 0`,
    into("geofence_events", {
      ...{
        id: id(4),
        occurred_at: at,
        geofence_id: uuid(`'${fences.fence}'`),
        event_type: "'enter'",
        ...place,
        ...known,
      },
      ...{ speed_m_per_h: "20000", interpolated: no, time_uncertainty_ms: "1000" },
    }),
    // Of each vehicle a row a day, the last of them on the last day.
    into("mileage_days", {
      day: `${Math.floor((factSpan.fromMs + spanMs) / dayMs) - Math.ceil(rows / devices) + 1} + i / ${devices}`,
      ...{ distance_mm: "123456789", distance_source: "'gps'", trip_count: "7", driving_ms: "12000000" },
      ...{ idle_ms: "600000", max_speed_m_per_h: "88000", gap_distance_mm: "0", updated_at: at },
    }),
  ];
}

/** The number that makes 1 of another, modulo a third. */
function inverse(of: number, modulus: number): number {
  for (let candidate = 1; candidate < modulus; candidate++) if ((of * candidate) % modulus === 1) return candidate;
  throw new Error(`${modulus} devices cannot be distinguished by multiples of ${of}`);
}
