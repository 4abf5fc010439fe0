import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { maxStreams } from "../../src/api/cache/open-streams.ts";
import { tools } from "../../src/api/mcp/tools.ts";
import type { Route } from "../../src/api/route.ts";
import { routes as apiRoutes } from "../../src/api/routes.ts";
import { portalRoutes } from "../../src/portal/routes.ts";
import { addAuditEntries } from "../../src/store/fleet/audit.ts";
import { type Sql, sql } from "../../src/store/sql.ts";
import { keyOf } from "../support/api.ts";
import { onEachEngine } from "../support/engines.ts";
import { type Browser, type PortalUnderTest, type PortalWorld, sharedPortal } from "../support/portal.ts";
import { rightsTable } from "../support/portal-rights.ts";
import { Seed } from "../support/seed.ts";
import { noon } from "../support/seed-rows.ts";

const dayMs = 86_400_000;
const lastDay = Math.floor(noon / dayMs);
const days = 300;
const year = `from=${dateOf(lastDay - days)}&to=${dateOf(lastDay + 1)}`;

function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** More of everything that is streamed than is read or sent at once. */
async function addMuch({ store, accounts, users, devices }: PortalWorld): Promise<void> {
  const seed = new Seed();
  const { van, truck, car, spare } = devices;
  for (const device of [van, truck, car, spare]) {
    for (let back = 5; back < days; back++) seed.mileage(device, { day: lastDay - back });
  }
  const ring = Array.from({ length: 1_200 }, (_, index) => [
    13 + Math.cos((index * Math.PI) / 600),
    52 + Math.sin((index * Math.PI) / 600),
  ]);
  const geometry_json = JSON.stringify({ type: "Polygon", coordinates: [[...ring, ring[0]]] });
  for (let index = 0; index < 80; index++) {
    const id = `fe000000-0000-4000-9000-${String(index).padStart(12, "0")}`;
    seed.geofence(accounts.acme, { id, shape: "polygon", geometry_json, radius_m: null, devices: [van] });
  }
  await seed.save(store.database);
  const by = { kind: "user", id: users.olga.id } as const;
  const entries = Array.from({ length: 1_200 }, () => ({ by, action: "device.changed", id: van.id }) as const);
  await store.database.transaction((tx) => addAuditEntries(tx, accounts.acme.account_id, entries, noon));
}

/** A request of a route of the API that finds as much as it can, relative to the version's prefix. */
function requestOf({ path, parameters, windowed, needsDevice }: Route, { devices }: PortalWorld): string {
  const query = new URLSearchParams();
  const asked = path.replace("{device_id}", devices.van.id).replace("{kind}", "fuel").replace("{user_id}", "me");
  if (path === "/reports/mileage") return `${asked}?${year}`;
  if (windowed)
    for (const [name, day] of [
      ["from", lastDay - 30],
      ["to", lastDay + 1],
    ] as const)
      query.set(name, dateOf(day));
  if (parameters.some(({ name }) => name === "time")) query.set("time", dateOf(lastDay + 1));
  if (needsDevice) query.set("device_id", devices.van.id);
  if (parameters.some(({ name }) => name === "limit")) query.set("limit", "100");
  return `${asked}?${query}`;
}

/** The routes of the API that stream. */
const longLists = ["/devices/{device_id}/geofences", "/geofences", "/reports/mileage"];
/** Those of the portal, besides the API's. */
const files = ["GET /download/{list}", "GET /fleet/log/download"];

onEachEngine("a long answer", (engine) => {
  const given = sharedPortal(engine, { isQuick: true });
  let site: PortalUnderTest;
  let server: ReturnType<typeof Bun.serve>;
  let key: string;
  /** What happens when an answer has begun, and before anything else of it is made. */
  let meanwhile: () => Promise<unknown> = async () => {};

  beforeAll(async () => {
    const world = given();
    await addMuch(world);
    site = world.node({ isQuick: true });
    // Each call is in a second of its own: nobody calls too often.
    site.time.stepMs = 1_000;
    key = await keyOf(world.store.database, world.users.olga.email);
    server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      // Otherwise it prints every answer that breaks off.
      development: false,
      error: () => new Response(null, { status: 500 }),
      fetch: async (request) => {
        const answer =
          site.portal.answer(request, () => "192.0.2.1") ?? world.api.api.answer(request, () => "192.0.2.1");
        const response = await answer;
        await meanwhile();
        return response;
      },
    });
  });
  afterAll(() => server.stop(true));

  const signIn = () => site.signIn(given().users.olga.email);

  /** A request of a caller: a session of the portal, or a key. */
  function ask(path: string, by: Browser | string, init: RequestInit = {}): Promise<Response> {
    const own: Record<string, string> =
      typeof by === "string"
        ? { "X-API-Key": by }
        : { Cookie: by.cookie ?? "", "X-Odograph-Portal": "1", Origin: server.url.origin };
    const headers = { ...own, ...(init.headers as Record<string, string>) };
    return fetch(server.url.origin + path, { ...init, headers });
  }

  /** Status, and whether the answer was begun before its length was known. */
  async function outcome(response: Response): Promise<{ status: number; isStreamed: boolean }> {
    await response.arrayBuffer();
    return { status: response.status, isStreamed: response.headers.get("Transfer-Encoding") === "chunked" };
  }

  type Outcomes = Map<string, Awaited<ReturnType<typeof outcome>>>;
  const streamedOf = (outcomes: Outcomes) =>
    [...outcomes].flatMap(([name, { isStreamed }]) => (isStreamed ? [name] : [])).toSorted();
  /** On a slow machine the deadline of the store may be over before that of a place. */
  const refusedOf = (outcomes: Outcomes) =>
    [...outcomes].flatMap(([name, { status }]) => ([429, 500].includes(status) ? [name] : [])).toSorted();

  /** Each with a session of its own: some end it. */
  async function walkPortal(): Promise<Outcomes> {
    const outcomes: Outcomes = new Map();
    const world = { ...given(), ...site };
    const refused: Promise<unknown>[] = [];
    for (const { method, path } of portalRoutes) {
      const name = `${method} ${path}`;
      const olga = await signIn();
      const asked = await rightsTable[name]?.ask({ ...world, olga }, "owner");
      if (asked === undefined) throw new Error(`${name} is not in the table`);
      const body = method === "GET" ? {} : { body: JSON.stringify(asked.body ?? {}) };
      const done = ask(`/portal/api${asked.path}`, olga, { method, ...body }).then(async (response) =>
        outcomes.set(name, await outcome(response)),
      );
      // What waits for a place need not keep the others.
      if (files.includes(name)) refused.push(done);
      else await done;
    }
    await Promise.all(refused);
    return outcomes;
  }

  async function walkApi(of: (path: string) => Promise<Response>, isEachFormat = false): Promise<Outcomes> {
    const outcomes: Outcomes = new Map();
    await Promise.all(
      apiRoutes.flatMap((route) =>
        ((isEachFormat && route.formats?.offered) || [null]).map(async (format) => {
          const path = requestOf(route, given());
          const response = await of(format === null ? path : `${path}&format=${format}`);
          const { status, isStreamed } = await outcome(response);
          const known = outcomes.get(route.path);
          outcomes.set(route.path, { status, isStreamed: isStreamed || (known?.isStreamed ?? false) });
        }),
      ),
    );
    return outcomes;
  }

  async function walkTools(): Promise<Outcomes> {
    const outcomes: Outcomes = new Map();
    await Promise.all(
      [...tools.keys()].map(async (name) => {
        const given = name === "report_mileage" ? { from: dateOf(lastDay - days), to: dateOf(lastDay + 1) } : {};
        const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } };
        const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
        outcomes.set(
          name,
          await outcome(await ask("/mcp", key, { method: "POST", headers, body: JSON.stringify(body) })),
        );
      }),
    );
    return outcomes;
  }

  // Which answers stream is decided before the store is read.
  if (engine.name === "sqlite")
    describe("has a place among the open ones", () => {
      test("of whichever route: these stream, and no others", async () => {
        expect(streamedOf(await walkPortal())).toEqual(files);
        const olga = await signIn();
        expect(streamedOf(await walkApi((path) => ask(`/v1${path}`, key), true))).toEqual(longLists);
        expect(streamedOf(await walkApi((path) => ask(`/portal/api/data${path}`, olga)))).toEqual(longLists);
        expect(streamedOf(await walkTools())).toEqual([]);
      });

      test("so where all places are taken, no route streams", async () => {
        const olga = await signIn();
        const held: Response[] = [];
        const hold = async (path: string, by: Browser | string) => {
          for (let count = 0; count < maxStreams.caller; count++) {
            const headers: Record<string, string> =
              typeof by === "string" ? { "X-API-Key": by } : { Cookie: by.cookie ?? "" };
            const request = new Request(`http://odograph.test${path}`, { headers });
            const answer = site.portal.answer(request, () => "::1") ?? given().api.api.answer(request, () => "::1");
            held.push(await answer);
          }
        };
        await hold(`/portal/api/download/trips?${year}`, olga);
        await hold("/portal/api/data/geofences?limit=100", olga);
        await hold("/v1/geofences?limit=100", key);
        expect(new Set(held.map(({ status }) => status))).toEqual(new Set([200]));
        try {
          const [ofPortal, ofKey, ofTools] = await Promise.all([
            walkPortal(),
            walkApi((path) => ask(`/v1${path}`, key)),
            walkTools(),
          ]);
          // One of the portal's routes ended the other sessions.
          const another = await signIn();
          const ofSession = await walkApi((path) => ask(`/portal/api/data${path}`, another));
          expect([ofPortal, ofKey, ofSession, ofTools].flatMap(streamedOf)).toEqual([]);
          expect([ofPortal, ofKey, ofSession].map(refusedOf)).toEqual([files, longLists, longLists]);
        } finally {
          for (const { body } of held) await body?.cancel();
        }
      });
    });

  describe("ends unfinished", () => {
    const run = (query: Sql) => given().store.database.transaction((tx) => tx.run(query));
    const setUser = (changes: Sql) => run(sql`update users set ${changes} where id = ${given().users.olga.id}`);
    const setAccount = (status: string) =>
      run(sql`update accounts set status = ${status} where account_id = ${given().accounts.acme.account_id}`);

    interface Ending {
      readonly begin: () => Promise<unknown>;
      readonly undo?: () => Promise<unknown>;
    }

    /** What ends the rights of a user's sessions and keys. */
    const ofUser: Record<string, Ending> = {
      "the user is disabled": {
        begin: () => setUser(sql`status = 'disabled'`),
        undo: () => setUser(sql`status = 'active'`),
      },
      "the user sees less from now on": {
        begin: () => setUser(sql`role = 'sub_account'`),
        undo: () => setUser(sql`role = 'owner'`),
      },
      "the account is suspended": { begin: () => setAccount("suspended"), undo: () => setAccount("active") },
    };
    const ofSession: Record<string, Ending> = {
      ...ofUser,
      "the user signs out everywhere": { begin: async () => (await signIn()).post("/sessions/end-others") },
      "the session has lasted long enough": {
        begin: async () => {
          site.time.aheadMs += 7 * dayMs;
        },
      },
    };
    const ofKey: Record<string, Ending> = {
      ...ofUser,
      "the key is revoked": { begin: () => run(sql`update api_keys set revoked_at = 1 where name = 'test'`) },
      "the key expires": { begin: () => run(sql`update api_keys set expires_at = 1 where name = 'test'`) },
    };

    async function read(path: string, by: Browser | string): Promise<string> {
      try {
        // Compressed, it would be made ahead of its reader. And a client repeats a request that was cut off before its
        // answer began, unless the connection is a new one.
        const response = await ask(path, by, { headers: { "Accept-Encoding": "identity", Connection: "close" } });
        await response.arrayBuffer();
        return response.status === 200 ? "complete" : `refused with ${response.status}`;
      } catch {
        return "broken off";
      }
    }

    async function holdTo(path: string, endings: Record<string, Ending>, reader: () => Promise<Browser | string>) {
      const by = await reader();
      expect(await read(path, by)).toBe("complete");
      for (const [name, { begin, undo = async () => {} }] of Object.entries(endings)) {
        const by = await reader();
        meanwhile = begin;
        const how = await read(path, by);
        meanwhile = async () => {};
        await undo();
        expect([path, name, how]).toEqual([path, name, "broken off"]);
      }
    }

    for (const path of [
      `/download/mileage?${year}&format=csv`,
      `/download/mileage?${year}&format=ndjson`,
      "/fleet/log/download",
      `/data/reports/mileage?${year}`,
      "/data/geofences?limit=100&format=geojson",
    ]) {
      test(`when its session does: ${path.replace(year, "")}`, () => holdTo(`/portal/api${path}`, ofSession, signIn));
    }

    for (const path of [`/reports/mileage?${year}`, `/reports/mileage?${year}&format=csv`, "/geofences?limit=100"]) {
      const newKey = () => keyOf(given().store.database, given().users.olga.email);
      test(`when its key does: ${path.replace(year, "")}`, () => holdTo(`/v1${path}`, ofKey, newKey));
    }

    test("and a file is logged as refused", async () => {
      const route = "/portal/api/fleet/log/download";
      const logged = () => given().api.observations.filter((seen) => "route" in seen && seen.route === route);
      const before = logged().length;
      meanwhile = () => setUser(sql`status = 'disabled'`);
      const how = await read(route, await signIn());
      meanwhile = async () => {};
      await setUser(sql`status = 'active'`);
      expect(how).toBe("broken off");
      expect(logged().slice(before)).toMatchObject([
        { kind: "request_refused", code: "NOT_SIGNED_IN", userId: given().users.olga.id },
      ]);
    });
  });
});
