import { afterEach, expect } from "bun:test";
import type { Database } from "../../src/store/database.ts";
import { type ApiResponse, type ApiUnderTest, everyRecord, type KeyOptions, keyOf, startApi } from "../support/api.ts";
import type { EngineUnderTest, FreshDatabase } from "../support/engines.ts";
import { type FleetRecord, load, smallFleet } from "../support/fleet.ts";
import { straightDrive } from "../support/ingest-drive.ts";
import { alertSettings, devices, fences, home, newYear, people, vanImei } from "../support/ingest-fleet.ts";
import { take } from "../support/ingest-node.ts";
import type { Change } from "./copy.ts";
import { type ChangeType, followed, type Row, withoutDevice } from "./lists.ts";

/** The public side in this process over a small fleet, and a follower of it. */
export interface Following extends FreshDatabase {
  readonly api: ApiUnderTest;
  /** Keys: Olga sees everything, Ann the van and the truck, Bob the truck; Rita is another account's owner. */
  readonly keys: Readonly<Record<"olga" | "ann" | "bob" | "rita", string>>;
  key(email: string, options?: KeyOptions): Promise<string>;
  ask(query: string, key?: string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** A token of now. */
  now(key?: string, query?: string): Promise<string>;
  /** All changes since then, page by page, and the token to go on with. */
  follow(after: string, key?: string): Promise<{ readonly changes: Change[]; readonly resumeAfter: string }>;
  /** The changes alone. */
  since(after: string, key?: string, query?: string): Promise<Change[]>;
  /** Loads these records of the fleet file. */
  load(...records: FleetRecord[]): Promise<void>;
  /** Holds that each record is what its list shows now, and that these are the only ones. */
  asListed(changes: readonly Change[], key?: string): Promise<void>;
}

const account = { ...smallFleet.acme, limits: { per_second: 100_000, per_day: 1_000_000 } };

/** Loads that fleet, and makes the keys. */
async function prepareFollowing({ database }: FreshDatabase): Promise<Following["keys"]> {
  const others = people.filter(({ id }) => id !== account.id);
  await load(database, [account, ...others, ...devices, ...Object.values(fences), alertSettings]);
  const [olga, ann, bob, rita] = await Promise.all(
    ["olga@acme.test", "ann@acme.test", "bob@acme.test", "rita@rival.test"].map((email) => keyOf(database, email)),
  );
  return { olga, ann, bob, rita } as Following["keys"];
}

/** For tests that each want a fleet of their own: it is loaded once. `before` is what has happened in it already. */
export function followings(
  engine: EngineUnderTest,
  before: (database: Database) => Promise<unknown> = async () => {},
): () => Promise<Following> {
  const copied = engine.copies(async (store) => {
    const keys = await prepareFollowing(store);
    await before(store.database);
    return keys;
  });
  const started: Following[] = [];
  afterEach(async () => {
    for (const { api } of started.splice(0)) await api.close();
  });
  return async () => {
    const { prepared, ...store } = await copied();
    const following = await startFollowing(store, prepared);
    started.push(following);
    return following;
  };
}

export async function startFollowing(store: FreshDatabase, prepared?: Following["keys"]): Promise<Following> {
  const { database } = store;
  const keys = prepared ?? (await prepareFollowing(store));
  const { olga } = keys;
  const key: Following["key"] = (email, options) => keyOf(database, email, options);
  const api = await startApi(database);
  const ask: Following["ask"] = (query, asking = olga, headers) => api.get(`/changes?${query}`, asking, headers);
  const answered = async (query: string, asking?: string) => {
    const response = await ask(query, asking);
    expect([query, response.status, response.body.error]).toEqual([query, 200, undefined]);
    return response.body;
  };
  const follow = async (after: string, asking?: string, query = "") => {
    const changes: Change[] = [];
    let body = await answered(`after=${encodeURIComponent(after)}&${query}`, asking);
    for (;;) {
      changes.push(...body.data);
      if (body.next_cursor === null) return { changes, resumeAfter: body.resume_after as string };
      body = await answered(`cursor=${encodeURIComponent(body.next_cursor)}`, asking);
    }
  };
  return {
    ...store,
    api,
    keys,
    key,
    ask,
    async now(asking, query = "") {
      const body = await answered(query, asking);
      expect([body.data, body.next_cursor]).toEqual([[], null]);
      return body.resume_after;
    },
    follow,
    since: async (after, asking, query) => (await follow(after, asking, query)).changes,
    async load(...records) {
      // Some of them were changed in the portal before.
      await load(database, records, Date.now(), undefined, true);
    },
    async asListed(changes, asking = olga) {
      const shown = new Map<string, Set<string>>();
      for (const { type, device_id, record } of changes) {
        if (record === null) continue;
        const path = pathOf(type, device_id, record);
        const rows =
          shown.get(path) ?? new Set((await everyRecord(api, asking, path))?.map((row) => textOf(type, row)));
        shown.set(path, rows);
        expect(rows.has(textOf(type, record)), `${path}: ${JSON.stringify(record)}`).toBe(true);
      }
    },
  };
}

const window = "from=2025-12-30&to=2026-01-20&limit=500";

function pathOf(type: ChangeType, deviceId: string | null, { kind }: Row): string {
  const paths: Record<ChangeType, string> = {
    device: `/devices/${deviceId}`,
    position: `/positions/history?valid_only=false&device_id=${deviceId}&${window}`,
    trip: `/trips?${window}`,
    stop: `/stops?${window}`,
    alert: `/alerts?${window}`,
    reading: `/sensors/${kind}?${window}`,
    geofence: "/geofences?limit=500",
    geofence_event: `/geofence-events?${window}`,
    mileage: "/reports/mileage?from=2025-12-30&to=2026-01-20",
    user: "/users?limit=500",
    driver: "/drivers?limit=500",
    alert_settings: `/devices/${deviceId}/alert-settings`,
  };
  expect(deviceId === null).toBe(withoutDevice.includes(type));
  return paths[type];
}

function textOf(type: ChangeType, record: Row): string {
  return JSON.stringify(followed(type, record));
}

/** Short names of changes, each once, in the order of the text. */
export function names(changes: readonly Change[]): string[] {
  return [...new Set(changes.map(({ type, change }) => `${type} ${change}`))].sort();
}

export function ofType(changes: readonly Change[], type: ChangeType): Change[] {
  return changes.filter((change) => change.type === type);
}

/** The van drives east from home for ten minutes, faster than it may. */
export function vanDrive(beginAt = newYear, minutes = 10) {
  return straightDrive({ imei: vanImei, from: home, beginAt, minutes, kmh: 72 });
}

export async function drives({ database }: Pick<Following, "database">, beginAt?: number): Promise<void> {
  await take(database, [vanDrive(beginAt)]);
}
