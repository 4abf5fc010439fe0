import { createKey } from "../../src/access/keys.ts";
import { hashPassword } from "../../src/access/passwords.ts";
import { allScopes } from "../../src/domain/scopes.ts";
import { deviceSearchText } from "../../src/domain/search-text.ts";
import { foreignFrame } from "../../src/intake/formats/foreign.ts";
import type { IncomingFrame } from "../../src/intake/incoming-frame.ts";
import { accountViewer } from "../../src/store/changes/viewers.ts";
import type { Database } from "../../src/store/database.ts";
import { plainSql, type Sql, sql } from "../../src/store/sql.ts";
import { idOf, imeiOf, lastFrameAt, seedBenchFleet } from "./fleet.ts";
import { storeFrames } from "./store-frames.ts";

const dayMs = 86_400_000;
const lastDay = Math.floor(lastFrameAt / dayMs);
const createdAt = Date.UTC(2026, 0, 1);
/** Its frames are all rejected, one every ten seconds for 31 days. */
const rejectedDevice = 30;
const subAccounts = 500;
export const ownerPassword = "a password of the bench";

/** An account with a very large fleet, and a small one beside it. */
export interface LargeStore {
  readonly ownerKeys: readonly string[];
  /** Of a sub-account that sees fifty devices, and of one that sees all of them. */
  readonly fewDevicesKey: string;
  readonly allDevicesKey: string;
  /** Of the small account. */
  readonly otherKey: string;
  readonly deviceId: string;
  readonly rejectedDeviceId: string;
}

/** For SQLite only: rows are made inside of it, since there are millions. */
export async function seedLargeStore(database: Database, devices: number): Promise<LargeStore> {
  const run = (statement: Sql) => database.transaction((tx) => tx.run(statement));
  const { deviceIds } = await seedBenchFleet(database, devices, 200_000);
  await renameDevices(database, devices);
  await run(sql`
    insert into mileage_days (account_id, device, day, distance_mm, distance_source, start_odometer_m, end_odometer_m,
      trip_count, driving_ms, idle_ms, max_speed_m_per_h, gap_distance_mm, updated_at)
    with recursive days (day) as (select ${lastDay - 365} union all select day + 1 from days where day < ${lastDay})
    select 1, device, day, 123456789 + day, 'odometer', 120000000, 120123456, 5, 7200000, 600000, 88000, 0, ${createdAt}
    from devices, days where account_id = 1`);
  // 30 of each device in 30 days.
  await run(sql`
    insert into alerts (account_id, device, occurred_at, id, alert_type, severity, message, received_at, withdrawn, final_at)
    with recursive days (day) as (select 0 union all select day + 1 from days where day < 29)
    select 1, device, ${lastFrameAt} - day * ${dayMs} - device * 1000, ${uuid(sql`device * 100 + day`)},
      'speeding', case day % 2 when 0 then 'info' else 'warning' end, 'faster than 80 km/h', ${lastFrameAt}, 0, 0
    from devices, days where account_id = 1`);
  await run(sql`
    insert into trips (account_id, device, started_at, id, ended_at, end_reason, start_latitude_e7, start_longitude_e7,
      distance_mm, duration_ms, idle_ms, position_count, has_gap, updated_at)
    with recursive days (day) as (select 0 union all select day + 1 from days where day < 29)
    select 1, device, ${lastFrameAt} - day * ${dayMs} - device * 1000, ${uuid(sql`device * 100 + day`)},
      ${lastFrameAt} - day * ${dayMs} - device * 1000 + 3600000, 'ignition_off', 525200000, 134049540,
      1000000, 3600000, 0, 360, 0, ${lastFrameAt} from devices, days where account_id = 1`);
  await storeFrames(database, 1, rejectedFrames());
  await seedUsers(database, run);
  await seedGeofences(run);
  await seedOther(run);
  const key = async (email: string) => {
    const request = { email, name: "bench", scopes: allScopes, perSecond: null, perDay: null, expiresAt: null };
    return (await createKey(database, request, createdAt)).secret;
  };
  const ownerKeys: string[] = [];
  for (let index = 0; index < 16; index++) ownerKeys.push(await key("owner@bench.test"));
  return {
    ownerKeys,
    fewDevicesKey: await key("user1@bench.test"),
    allDevicesKey: await key("user0@bench.test"),
    otherKey: await key("owner@other.test"),
    deviceId: deviceIds[0] ?? "",
    rejectedDeviceId: idOf(rejectedDevice),
  };
}

function* rejectedFrames(): Generator<IncomingFrame> {
  for (let at = lastFrameAt - 31 * dayMs; at < lastFrameAt; at += 10_000) {
    yield foreignFrame(imeiOf(rejectedDevice), at, at + 1_000, { latitude: 52.5, longitude: 13.4, fix: false });
  }
}

/** As many characters as a name may have. */
async function renameDevices(database: Database, devices: number): Promise<void> {
  await database.transaction(async (tx) => {
    for (let device = 1; device <= devices; device++) {
      const name = `Sprinter ${device} of Zürich ${"Großraumtransporter ".repeat(20)}`.slice(0, 200);
      const text = deviceSearchText({ name, imei: imeiOf(device), plate: `B-OD ${device}` });
      await tx.run(
        sql`update devices set name = ${name}, search_text = ${text} where account_id = 1 and device = ${device}`,
      );
    }
  });
}

/** Scattered, as UUIDs are. */
function uuid(number: Sql): Sql {
  return sql`printf('%08x-0000-4000-8000-%012x', (${number} * 2654435761) % 4294967296, ${number})`;
}

async function seedUsers(database: Database, run: (statement: Sql) => Promise<number>): Promise<void> {
  const hash = await hashPassword(ownerPassword);
  await run(sql`update users set password_hash = ${hash} where email_key = 'owner@bench.test'`);
  await run(sql`
    insert into users (id, account_id, role, name, email, email_key, status, created_at, updated_at)
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${subAccounts - 1})
    select printf('%08x-0000-4000-9000-000000000000', n), 1, 'sub_account', 'Depot ' || n, 'user' || n || '@bench.test',
      'user' || n || '@bench.test', 'active', ${createdAt}, ${createdAt} from numbers`);
  // The first sees all devices, the second fifty, the others a tenth each.
  await run(sql`
    insert into assignments (account_id, user_id, id, imei, device, created_at)
    select 1, u.id, d.id, d.imei, d.device, ${createdAt} from users u cross join devices d
    where u.account_id = 1 and u.role = 'sub_account' and d.account_id = 1 and case u.email_key
      when 'user0@bench.test' then 1 when 'user1@bench.test' then d.device <= 50
      else (d.device + length(u.id) + cast(substr(u.email, 5) as integer)) % 10 = 0 end`);
  await run(
    plainSql(
      "insert into viewer_revisions (account_id, user_id, revision) select 1, id, 1 from users where role = 'sub_account'",
    ),
  );
  await database.ping();
}

/** Polygons with as many corners as is allowed for a page of them to be large. */
async function seedGeofences(run: (statement: Sql) => Promise<number>): Promise<void> {
  const ring = Array.from({ length: 1_000 }, (_, index) => [
    13.4 + Math.cos((index / 1_000) * 2 * Math.PI) / 10,
    52.5 + Math.sin((index / 1_000) * 2 * Math.PI) / 10,
  ]);
  const geometry = JSON.stringify({ type: "Polygon", coordinates: [[...ring, ring[0]]] });
  await run(sql`
    insert into geofences (account_id, id, name, created_at, updated_at)
    with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 499)
    select 1, printf('%08x-0000-4000-a000-000000000000', n), 'Fence ' || n, ${createdAt}, ${createdAt} from numbers`);
  await run(sql`
    insert into geofence_versions (account_id, geofence_id, valid_from, shape, geometry_json, bbox_json, created_at)
    select 1, id, ${createdAt}, 'polygon', ${geometry}, '[13.3,52.4,13.5,52.6]', ${createdAt} from geofences`);
  await run(sql`
    insert into geofence_assignments (account_id, geofence_id, valid_from, device, assigned_at)
    select 1, g.id, ${createdAt}, d.device, ${createdAt} from geofences g cross join devices d
    where g.account_id = 1 and d.account_id = 1 and d.device <= 200`);
}

async function seedOther(run: (statement: Sql) => Promise<number>): Promise<void> {
  const [account, owner, device] = ["0", "1", "2"].map((n) => `00000000-0000-4000-b000-00000000000${n}`);
  await run(sql`
    insert into accounts (account_id, id, name, status, limit_per_second, limit_per_day, created_at, updated_at)
    values (2, ${account as string}, 'Other', 'active', 2000000000, 2000000000, ${createdAt}, ${createdAt})`);
  await run(sql`insert into fleet_revisions (account_id, revision) values (2, 0)`);
  await run(sql`
    insert into users (id, account_id, role, name, email, email_key, status, created_at, updated_at)
    values (${owner as string}, 2, 'owner', 'Other', 'owner@other.test', 'owner@other.test', 'active', ${createdAt}, ${createdAt})`);
  const number = 10_000_000;
  await run(sql`
    insert into device_directory (device, account_id, imei, id) values (${number}, 2, ${imeiOf(number)}, ${device as string})`);
  await run(sql`
    insert into devices (account_id, device, id, imei, name, status, tags_json, external_ids_json, search_text, created_at, updated_at)
    values (2, ${number}, ${device as string}, ${imeiOf(number)}, 'Van', 'active', '[]', '{}', 'VAN', ${createdAt}, ${createdAt})`);
  await run(sql`
    insert into latest_positions (account_id, device, revision, last_seen_at, recorded_at, received_at, fields_json,
      odometer_m, discontinuity, geofence_ids_json)
    select 2, ${number}, 1, last_seen_at, recorded_at, received_at, fields_json, odometer_m, discontinuity, geofence_ids_json
    from latest_positions where account_id = 1 limit 1`);
  await run(sql`insert into viewer_revisions (account_id, user_id, revision) values (2, ${accountViewer}, 1)`);
}
